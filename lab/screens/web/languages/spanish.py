"""Spanish."""

from __future__ import annotations

from lab.screens.web.languages.locale import Locale, table

SPANISH = Locale(
    code="es",
    commands={
        "back": "Atrás",
        "delete": "Eliminar",
        "important": "Importante",
        "forward": "Reenviar",
        "reply": "Responder",
        "like": "Me gusta",
        "share": "Compartir",
        "menu": "Menú",
        "search": "Buscar",
        "send": "Enviar",
        "add": "Añadir",
        "remove": "Quitar",
        "close": "Cerrar",
        "edit": "Editar",
        "save": "Guardar",
        "open": "Abrir",
        "new": "Nuevo",
        "home": "Inicio",
        "settings": "Configuración",
        "help": "Ayuda",
        "info": "Acerca de",
        "user": "Perfil",
        "mail": "Correo",
        "calendar": "Calendario",
        "clock": "Historial",
        "cart": "Añadir al carrito",
        "star": "Favoritos",
        "download": "Descargar",
        "print": "Imprimir",
        "copy": "Copiar",
        "paste": "Pegar",
        "cut": "Cortar",
        "undo": "Deshacer",
        "redo": "Rehacer",
        "refresh": "Actualizar",
        "next": "Siguiente",
        "previous": "Anterior",
        "more": "Más",
        "filter": "Filtrar",
        "sort": "Ordenar",
        "eye": "Mostrar",
        "link": "Copiar enlace",
        "attach": "Adjuntar",
        "folder": "Nueva carpeta",
        "file": "Nuevo documento",
        "chart": "Informes",
        "chat": "Mensajes",
        "bell": "Avisos",
        "zoom_in": "Acercar",
        "zoom_out": "Alejar",
    },
    verbs=table(
        """Aceptar; Cancelar; Aplicar; Continuar; Rechazar; Iniciar sesión; Cerrar sesión; Registrarse; Confirmar; Sí;
        No; Listo; Reintentar; Omitir; Más información; Ver detalles; Suscribirse; Seguir; Exportar; Importar;
        Publicar; Vista previa; Archivar; Cambiar nombre; Mover a...; Seleccionar todo; Borrar; Instalar; Comprar;
        Pagar; Hacer pedido; Reservar; Comparar; Ejecutar; Guardar como...; Responder a todos; Ahora no"""
    ),
    labels=table(
        """Nombre; Apellidos; Correo electrónico; Contraseña; Repetir contraseña; Teléfono; Calle; Ciudad;
        Código postal; País; Empresa; Fecha de nacimiento; Usuario; Asunto; Mensaje; Cantidad; Importe; Llegada;
        Salida; Categoría; Prioridad; Vencimiento; Asignado a; Notas; Descripción; Etiquetas; Número de tarjeta;
        Dirección de entrega; Referencia; Idioma; Zona horaria; Departamento; Sala; Título; Moneda"""
    ),
    settings=table(
        """Enviarme una copia; Recordarme; Modo oscuro; Notificaciones; Actualizaciones automáticas;
        Números de línea; Reproducir sonidos; Usar ubicación; Acepto las condiciones; Boletín semanal;
        Archivos ocultos; Texto grande; Solo con Wi-Fi; Modo avión; Perfil privado; Para regalo; En existencias"""
    ),
    things=table(
        """Lámpara de mesa; Zapatillas; Molinillo de café; Ratón inalámbrico; Silla de jardín; Chaqueta de invierno;
        Cuchillo de pan; Cuaderno; Bicicleta; Esterilla de yoga; Cuenco; Juego de mesa; Impermeable; Informe anual;
        Presupuesto 2024; Acta de reunión; Plan de proyecto; Factura; Contrato; Fotos de vacaciones; Taladro;
        Estantería; Despertador; Auriculares; Botella; Tienda de campaña; Sartén; Teclado; Pantalla; Mochila"""
    ),
    headings=table(
        """Nombre; Fecha; Tamaño; Tipo; Estado; Propietario; Precio; Cantidad; Total; Ciudad; País; Rol; Vence;
        Cliente; Pedido; Producto; Categoría; Modificado; Creado; Versión; Nota; Duración; Importe"""
    ),
    statuses=table(
        """Abierto; Cerrado; Pendiente; Activo; Pagado; Vencido; Borrador; Nuevo; En stock; Agotado; Enviado; Error;
        Hecho; Aprobado; Rechazado; En línea; Ausente; Bajo; Alto; Urgente; Gratis; Invitado"""
    ),
    folders=table(
        """Bandeja de entrada; Enviados; Borradores; Spam; Archivo; Papelera; Documentos; Descargas; Imágenes; Música;
        Vídeos; Escritorio; Proyectos; Trabajo; Familia; Viajes; Recibos; Plantillas; Recientes; Clientes"""
    ),
    menus=table("Archivo; Editar; Ver; Insertar; Formato; Herramientas; Ventana; Ayuda; Buscar; Ir; Marcadores"),
    firsts=table(
        """Lucía; Mateo; Sofía; Martín; Paula; Diego; Carmen; Álvaro; Elena; Javier; Marta; Pablo; Nuria; Andrés;
        Valeria; Íñigo; Rocío; Sergio; Ximena; Tomás; Begoña; Raúl"""
    ),
    lasts=table(
        """García; López; Martínez; Sánchez; Pérez; Gómez; Fernández; Díaz; Moreno; Muñoz; Álvarez; Romero; Navarro;
        Torres; Ramírez; Ruiz; Castillo; Vega; Iglesias; Ibáñez"""
    ),
    cities=table(
        """Madrid; Barcelona; Valencia; Sevilla; Bilbao; Málaga; Zaragoza; Bogotá; Lima; Quito; Santiago; Rosario;
        Córdoba; Mérida; La Coruña; Cádiz; Montevideo"""
    ),
    days=table("lun; mar; mié; jue; vie; sáb; dom"),
    months=table("enero; febrero; marzo; abril; mayo; junio; julio; agosto; septiembre; octubre; noviembre; diciembre"),
    phrases=table(
        """Sin resultados; 3 elementos seleccionados; Guardado hace un minuto; Mensajes sin leer; Paso 2 de 4;
        ¿Olvidó su contraseña?; Términos y condiciones; Privacidad; Contacto; Hola de nuevo; Su carrito está vacío;
        Ordenar por; Ver todo; Página no encontrada; Sin conexión; Campo obligatorio; Al menos 8 caracteres;
        Envío gratis; Visto hace poco; Preguntas frecuentes; Su cuenta; Próximos eventos; Noticias; Buenos días"""
    ),
    sentences=table(
        """La reunión de {city} pasa al jueves; avise a los demás.; {name} ha compartido una carpeta con usted.; Su
        pedido de {n} artículos llega el viernes antes del mediodía.; Envíeme las cifras de {city} antes del fin de
        semana.; Hemos visto {n} ofertas y la segunda parece la mejor.; {name} está de vacaciones hasta el día {n}.;
        Cada archivo se guarda treinta días antes de borrarse.; ¿Seguro que quiere quitar {n} elementos?; El tren de
        {city} llegó tarde otra vez.; Puede cambiarlo más tarde en la configuración.; Gracias por su ayuda, {name}.; En
        {city} no lloverá hasta el domingo.; Adjuntamos una copia del contrato.; La actualización corrige {n} fallos.;
        Nuestra tienda de {city} cierra los lunes."""
    ),
)
