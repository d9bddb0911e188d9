"""German."""

from __future__ import annotations

from lab.screens.web.languages.locale import Locale, table

GERMAN = Locale(
    code="de",
    commands={
        "back": "Zurück",
        "delete": "Löschen",
        "important": "Wichtig",
        "forward": "Weiterleiten",
        "reply": "Antworten",
        "like": "Gefällt mir",
        "share": "Teilen",
        "menu": "Menü",
        "search": "Suchen",
        "send": "Senden",
        "add": "Hinzufügen",
        "remove": "Entfernen",
        "close": "Schließen",
        "edit": "Bearbeiten",
        "save": "Speichern",
        "open": "Öffnen",
        "new": "Neu",
        "home": "Startseite",
        "settings": "Einstellungen",
        "help": "Hilfe",
        "info": "Über",
        "user": "Profil",
        "mail": "Post",
        "calendar": "Kalender",
        "clock": "Verlauf",
        "cart": "In den Warenkorb",
        "star": "Favoriten",
        "download": "Herunterladen",
        "upload": "Hochladen",
        "print": "Drucken",
        "copy": "Kopieren",
        "paste": "Einfügen",
        "cut": "Ausschneiden",
        "undo": "Rückgängig",
        "redo": "Wiederholen",
        "refresh": "Aktualisieren",
        "next": "Weiter",
        "previous": "Vorherige",
        "more": "Mehr",
        "filter": "Filtern",
        "sort": "Sortieren",
        "lock": "Sperren",
        "eye": "Anzeigen",
        "link": "Link kopieren",
        "attach": "Datei anhängen",
        "image": "Bild einfügen",
        "folder": "Neuer Ordner",
        "file": "Neues Dokument",
        "chart": "Berichte",
        "list": "Liste",
        "grid": "Raster",
        "location": "Auf der Karte",
        "phone": "Anrufen",
        "chat": "Nachrichten",
        "bell": "Mitteilungen",
        "zoom_in": "Vergrößern",
        "zoom_out": "Verkleinern",
    },
    verbs=table(
        """OK; Abbrechen; Übernehmen; Absenden; Fortfahren; Annehmen; Ablehnen; Anmelden; Abmelden; Registrieren;
        Bestätigen; Ja; Nein; Fertig; Erneut versuchen; Überspringen; Mehr erfahren; Details; Abonnieren; Folgen;
        Exportieren; Importieren; Veröffentlichen; Vorschau; Archivieren; Umbenennen; Verschieben nach...;
        Alles auswählen; Leeren; Installieren; Jetzt kaufen; Bezahlen; Bestellen; Buchen; Vergleichen; Ausführen;
        Zeile einfügen; Speichern unter...; Als gelesen markieren; Allen antworten; Passwort ändern; Nicht jetzt"""
    ),
    labels=table(
        """Vorname; Nachname; E-Mail-Adresse; Passwort; Passwort wiederholen; Telefon; Straße und Hausnummer; Ort;
        Postleitzahl; Land; Firma; Geburtsdatum; Benutzername; Betreff; Nachricht; Menge; Betrag; Anreise; Abreise;
        Kategorie; Priorität; Fällig am; Zuständig; Bemerkung; Beschreibung; Schlagwörter; Kartennummer; Kontoinhaber;
        Lieferadresse; Kundennummer; Sprache; Zeitzone; Abteilung; Raum; Gäste; Kennzeichen; Titel; Währung"""
    ),
    settings=table(
        """Kopie an mich; Angemeldet bleiben; Dunkles Design; Benachrichtigungen; Automatische Updates;
        Zeilennummern anzeigen; Lange Zeilen umbrechen; Töne abspielen; Standort verwenden; Zwei-Faktor-Anmeldung;
        Ich stimme den AGB zu; Newsletter abonnieren; Versteckte Dateien; Große Schrift; Nur über WLAN;
        Beim Anmelden starten; Flugmodus; Nachtlicht; Als Geschenk verpacken; Nur auf Lager; Rechtschreibprüfung"""
    ),
    things=table(
        """Schreibtischlampe; Laufschuhe; Kaffeemühle; Funkmaus; Gartenstuhl; Winterjacke; Brotmesser; Thermobecher;
        Notizbuch; Fahrrad; Handyhülle; Yogamatte; Schüssel; Bürostuhl; Brettspiel; Regenmantel; Jahresbericht;
        Haushaltsplan; Protokoll; Projektplan; Rechnung; Vertrag; Urlaubsfotos; Einkaufsliste; Preisliste;
        Stundenzettel; Bohrmaschine; Bücherregal; Wecker; Kopfhörer; Trinkflasche; Zelt; Bratpfanne; Tastatur"""
    ),
    headings=table(
        """Name; Datum; Größe; Typ; Status; Besitzer; Preis; Menge; Summe; Ort; Land; E-Mail; Rolle; Fällig; Kunde;
        Bestellung; Artikel; Kategorie; Geändert; Erstellt; Version; Bewertung; Abteilung; Nummer; Dauer; Betrag"""
    ),
    statuses=table(
        """Offen; Erledigt; Wartend; Aktiv; Bezahlt; Überfällig; Entwurf; Neu; Auf Lager; Ausverkauft; Versandt;
        Fehler; In Prüfung; Genehmigt; Abgelehnt; Online; Abwesend; Niedrig; Hoch; Dringend; Gratis; Gast"""
    ),
    folders=table(
        """Posteingang; Gesendet; Entwürfe; Spam; Archiv; Papierkorb; Dokumente; Downloads; Bilder; Musik; Videos;
        Schreibtisch; Projekte; Arbeit; Familie; Reisen; Belege; Öffentlich; Vorlagen; Zuletzt; Kunden; Steuern"""
    ),
    menus=table("Datei; Bearbeiten; Ansicht; Einfügen; Format; Extras; Fenster; Hilfe; Suchen; Gehe zu; Lesezeichen"),
    firsts=table(
        """Anna; Lukas; Marie; Paul; Sophie; Jonas; Lea; Felix; Hannah; Max; Greta; Jürgen; Käthe; Moritz; Frieda;
        Stefan; Ulrike; Bernd; Sabine; Tobias; Yasmin; Mehmet; Katrin; Björn"""
    ),
    lasts=table(
        """Müller; Schmidt; Schneider; Fischer; Weber; Wagner; Becker; Schäfer; Koch; Richter; Klein; Wolf; Schröder;
        Neumann; Schwarz; Zimmermann; Krüger; Hofmann; Lange; Köhler; Yilmaz; Groß"""
    ),
    cities=table(
        """Berlin; Hamburg; München; Köln; Frankfurt; Leipzig; Dresden; Bremen; Nürnberg; Wien; Zürich; Basel; Graz;
        Lübeck; Würzburg; Tübingen; Aachen; Jena"""
    ),
    days=table("Mo; Di; Mi; Do; Fr; Sa; So"),
    months=table("Januar; Februar; März; April; Mai; Juni; Juli; August; September; Oktober; November; Dezember"),
    phrases=table(
        """Keine Treffer; 3 Objekte ausgewählt; Gerade gespeichert; Ungelesene Nachrichten; Schritt 2 von 4;
        Passwort vergessen?; Allgemeine Geschäftsbedingungen; Datenschutz; Kontakt; Willkommen zurück;
        Ihr Warenkorb ist leer; Sortieren nach; Alle anzeigen; Seite nicht gefunden; Verbindung unterbrochen;
        Dieses Feld ist erforderlich; Mindestens 8 Zeichen; Kostenlose Rücksendung; Zuletzt angesehen; Häufige Fragen;
        Ihr Konto; Anstehende Termine; Neuigkeiten; Speicher fast voll; Guten Morgen; Bitte gültige Adresse eingeben"""
    ),
    sentences=table(
        """Die Besprechung in {city} wurde auf Donnerstag verlegt.; {name} hat einen Ordner für Sie freigegeben.; Ihre
        Bestellung über {n} Artikel kommt am Freitag vor zwölf Uhr.; Bitte schicken Sie mir die Zahlen für {city} bis
        Ende der Woche.; Wir haben {n} Angebote geprüft und halten das zweite für das beste.; {name} ist bis zum {n}.
        im Urlaub und kann nicht antworten.; Jede Datei wird dreißig Tage aufbewahrt, bevor sie endgültig gelöscht
        wird.; Möchten Sie wirklich {n} Einträge entfernen?; Der Zug aus {city} hatte wieder Verspätung.; Sie können das
        später in den Einstellungen ändern.; Vielen Dank für Ihre Hilfe bei der Umfrage, {name}.; Das Wetter in {city}
        bleibt bis Sonntag trocken.; Brauchen Sie den Raum im zweiten Stock noch?; Eine Abschrift des Vertrags liegt
        bei.; Die Aktualisierung behebt {n} Fehler und beschleunigt den Start.; Unser Geschäft in {city} bleibt montags
        geschlossen."""
    ),
)
