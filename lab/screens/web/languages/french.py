"""French."""

from __future__ import annotations

from lab.screens.web.languages.locale import Locale, table

FRENCH = Locale(
    code="fr",
    commands={
        "back": "Retour",
        "delete": "Supprimer",
        "important": "Important",
        "forward": "Transférer",
        "reply": "Répondre",
        "like": "J'aime",
        "share": "Partager",
        "menu": "Menu",
        "search": "Rechercher",
        "send": "Envoyer",
        "add": "Ajouter",
        "remove": "Retirer",
        "close": "Fermer",
        "edit": "Modifier",
        "save": "Enregistrer",
        "open": "Ouvrir",
        "new": "Nouveau",
        "home": "Accueil",
        "settings": "Paramètres",
        "help": "Aide",
        "info": "À propos",
        "user": "Profil",
        "mail": "Courrier",
        "calendar": "Calendrier",
        "clock": "Historique",
        "cart": "Ajouter au panier",
        "star": "Favoris",
        "download": "Télécharger",
        "print": "Imprimer",
        "copy": "Copier",
        "paste": "Coller",
        "cut": "Couper",
        "undo": "Annuler la frappe",
        "redo": "Rétablir",
        "refresh": "Actualiser",
        "next": "Suivant",
        "previous": "Précédent",
        "more": "Plus",
        "filter": "Filtrer",
        "sort": "Trier",
        "eye": "Afficher",
        "link": "Copier le lien",
        "attach": "Joindre",
        "folder": "Nouveau dossier",
        "file": "Nouveau document",
        "chart": "Rapports",
        "chat": "Messages",
        "bell": "Alertes",
        "zoom_in": "Agrandir",
        "zoom_out": "Réduire",
    },
    verbs=table(
        """OK; Annuler; Appliquer; Valider; Continuer; Accepter; Refuser; Se connecter; Se déconnecter; S'inscrire;
        Confirmer; Oui; Non; Terminé; Réessayer; Ignorer; En savoir plus; Voir les détails; S'abonner; Suivre;
        Exporter; Importer; Publier; Aperçu; Archiver; Renommer; Déplacer vers...; Tout sélectionner; Effacer;
        Installer; Acheter; Payer; Commander; Réserver; Comparer; Exécuter; Enregistrer sous...; Répondre à tous"""
    ),
    labels=table(
        """Prénom; Nom; Adresse e-mail; Mot de passe; Confirmer le mot de passe; Téléphone; Rue; Ville; Code postal;
        Pays; Société; Date de naissance; Identifiant; Objet; Message; Quantité; Montant; Date d'arrivée;
        Date de départ; Catégorie; Priorité; Échéance; Responsable; Remarques; Description; Étiquettes;
        Numéro de carte; Adresse de livraison; Référence; Langue; Fuseau horaire; Service; Salle; Titre; Devise"""
    ),
    settings=table(
        """M'envoyer une copie; Se souvenir de moi; Thème sombre; Notifications; Mises à jour automatiques;
        Numéros de ligne; Jouer les sons; Utiliser la position; J'accepte les conditions; Lettre d'information;
        Fichiers cachés; Grand texte; Wi-Fi uniquement; Mode avion; Profil privé; Paquet cadeau; En stock seulement"""
    ),
    things=table(
        """Lampe de bureau; Chaussures de course; Moulin à café; Souris sans fil; Chaise de jardin; Veste d'hiver;
        Couteau à pain; Carnet; Vélo; Tapis de yoga; Bol en céramique; Jeu de société; Imperméable; Rapport annuel;
        Budget 2024; Compte rendu; Plan du projet; Facture; Contrat; Photos de vacances; Liste de courses; Perceuse;
        Bibliothèque; Réveil; Casque; Gourde; Tente; Poêle; Clavier; Écran"""
    ),
    headings=table(
        """Nom; Date; Taille; Type; État; Propriétaire; Prix; Quantité; Total; Ville; Pays; Rôle; Échéance; Client;
        Commande; Produit; Catégorie; Modifié; Créé; Version; Note; Service; Durée; Montant"""
    ),
    statuses=table(
        """Ouvert; Fermé; En attente; Actif; Payé; En retard; Brouillon; Nouveau; En stock; Épuisé; Expédié; Échec;
        Terminé; Approuvé; Refusé; En ligne; Absent; Faible; Élevé; Urgent; Gratuit; Invité"""
    ),
    folders=table(
        """Boîte de réception; Envoyés; Brouillons; Indésirables; Archives; Corbeille; Documents; Téléchargements;
        Images; Musique; Vidéos; Bureau; Projets; Travail; Famille; Voyages; Reçus; Modèles; Récents; Impôts"""
    ),
    menus=table("Fichier; Édition; Affichage; Insertion; Format; Outils; Fenêtre; Aide; Recherche; Aller; Signets"),
    firsts=table(
        """Camille; Louis; Chloé; Hugo; Inès; Gabriel; Léa; Jules; Manon; Raphaël; Zoé; Mathieu; Élodie; Benoît;
        Amélie; François; Noémie; Théo; Fatou; Karim; Lucie; Étienne"""
    ),
    lasts=table(
        """Martin; Bernard; Dubois; Petit; Durand; Leroy; Moreau; Simon; Laurent; Lefèvre; Roux; Fournier; Girard;
        Bonnet; Dupont; Fontaine; Chevalier; Gauthier; Perrin; Diallo; Benali"""
    ),
    cities=table(
        """Paris; Lyon; Marseille; Toulouse; Nantes; Lille; Bordeaux; Rennes; Genève; Bruxelles; Liège; Montréal;
        Québec; Dijon; Orléans; Nîmes; Besançon"""
    ),
    days=table("lun.; mar.; mer.; jeu.; ven.; sam.; dim."),
    months=table("janvier; février; mars; avril; mai; juin; juillet; août; septembre; octobre; novembre; décembre"),
    phrases=table(
        """Aucun résultat; 3 éléments sélectionnés; Enregistré à l'instant; Messages non lus; Étape 2 sur 4;
        Mot de passe oublié ?; Conditions générales; Confidentialité; Nous contacter; Bienvenue; Votre panier est vide;
        Trier par; Tout afficher; Page introuvable; Connexion perdue; Champ obligatoire; Au moins 8 caractères;
        Livraison gratuite; Vus récemment; Questions fréquentes; Votre compte; À venir; Actualités; Bonjour"""
    ),
    sentences=table(
        """La réunion de {city} est reportée à jeudi, merci de prévenir les autres.; {name} a partagé un dossier avec
        vous.; Votre commande de {n} articles arrivera vendredi avant midi.; Envoyez-moi les chiffres de {city} avant la
        fin de la semaine.; Nous avons comparé {n} offres et la deuxième nous semble la meilleure.; {name} est en congé
        jusqu'au {n}.; Chaque fichier est gardé trente jours avant d'être effacé.; Voulez-vous vraiment retirer {n}
        éléments ?; Le train de {city} avait encore du retard.; Vous pourrez changer cela dans les paramètres.; Merci
        pour votre aide, {name}.; Le temps restera sec à {city} jusqu'à dimanche.; Une copie du contrat est jointe à
        cette lettre.; La mise à jour corrige {n} erreurs.; Notre magasin de {city} est fermé le lundi."""
    ),
)
