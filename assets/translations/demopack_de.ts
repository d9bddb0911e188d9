<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en_US">
 <context>
  <name>demopack</name>
  <message>
   <source>
Last: {join}</source>
   <translation>
Zuletzt: {join}</translation>
  </message>
  <message>
   <source> (in use)</source>
   <translation> (in Gebrauch)</translation>
  </message>
  <message>
   <source> 1 step got none.</source>
   <translation> 1 Schritt hat keine bekommen.</translation>
  </message>
  <message>
   <source> Did you mean “{near}:”?</source>
   <translation> Vielleicht „{near}:“?</translation>
  </message>
  <message>
   <source> Did you mean “{near}”?</source>
   <translation> Vielleicht „{near}“?</translation>
  </message>
  <message>
   <source> It was cut off.</source>
   <translation> Sie ist abgebrochen.</translation>
  </message>
  <message>
   <source> Its README.md says what is missing.</source>
   <translation> Was fehlt, steht in der README.md.</translation>
  </message>
  <message>
   <source> Look at step {join}.</source>
   <translation> Schritt {join} ansehen.</translation>
  </message>
  <message>
   <source> Look at step {join}: it says what cannot be found on the screen.</source>
   <translation> Schritt {join} ansehen: Dort steht etwas, das auf dem Bildschirm nicht zu finden ist.</translation>
  </message>
  <message>
   <source> One of them also stands in an id, which cannot be replaced.</source>
   <translation> Einer davon steht auch in einer Kennung, die sich nicht ersetzen lässt.</translation>
  </message>
  <message>
   <source> Put it in quotes to look for it as a text.</source>
   <translation> In Anführungszeichen wird danach als Text gesucht.</translation>
  </message>
  <message>
   <source> There are: {join}.</source>
   <translation> Es gibt: {join}.</translation>
  </message>
  <message>
   <source> after {ms}</source>
   <translation> nach {ms}</translation>
  </message>
  <message>
   <source> after {spent}</source>
   <translation> nach {spent}</translation>
  </message>
  <message>
   <source> and </source>
   <translation> und </translation>
  </message>
  <message>
   <source> beside </source>
   <translation> neben </translation>
  </message>
  <message>
   <source> minutes</source>
   <translation> Minuten</translation>
  </message>
  <message>
   <source> {count} could not be read.</source>
   <translation> {count} waren nicht lesbar.</translation>
  </message>
  <message>
   <source> {failed} steps got none.</source>
   <translation> {failed} Schritte haben keine bekommen.</translation>
  </message>
  <message>
   <source> {names} tells nothing about its controls: they were found in the pictures alone.</source>
   <translation> {names} sagt nichts über seine Elemente: Sie wurden nur in den Bildern gefunden.</translation>
  </message>
  <message>
   <source> {number} of them also stand in ids, which cannot be replaced.</source>
   <translation> {number} davon stehen auch in Kennungen, die sich nicht ersetzen lassen.</translation>
  </message>
  <message>
   <source> {unread} {value} not looked through yet.</source>
   <translation> {unread} {value} noch nicht durchgesehen.</translation>
  </message>
  <message>
   <source> · about {length_words} left</source>
   <translation> · noch etwa {length_words}</translation>
  </message>
  <message>
   <source> · in use</source>
   <translation> · in Gebrauch</translation>
  </message>
  <message>
   <source> · secret</source>
   <translation> · geheim</translation>
  </message>
  <message>
   <source>*bank*
*Private Browsing*</source>
   <translation>*bank*
*Privater Modus*</translation>
  </message>
  <message>
   <source>, then {then}</source>
   <translation>, dann {then}</translation>
  </message>
  <message>
   <source>, {warnings} warnings</source>
   <translation>, {warnings} Warnungen</translation>
  </message>
  <message>
   <source>1 area</source>
   <translation>1 Bereich</translation>
  </message>
  <message>
   <source>1 box</source>
   <translation>1 Rahmen</translation>
  </message>
  <message>
   <source>1 click</source>
   <translation>1 Klick</translation>
  </message>
  <message>
   <source>1 demo imported.</source>
   <translation>1 Demo importiert.</translation>
  </message>
  <message>
   <source>1 edit</source>
   <translation>1 Änderung</translation>
  </message>
  <message>
   <source>1 element</source>
   <translation>1 Element</translation>
  </message>
  <message>
   <source>1 found so far</source>
   <translation>Bisher 1 gefunden</translation>
  </message>
  <message>
   <source>1 input event could not be read; a step may be missing.</source>
   <translation>1 Eingabe konnte nicht gelesen werden; vielleicht fehlt ein Schritt.</translation>
  </message>
  <message>
   <source>1 input event was lost because this machine is too busy.</source>
   <translation>1 Eingabe ging verloren, weil dieser Rechner überlastet ist.</translation>
  </message>
  <message>
   <source>1 more picture</source>
   <translation>1 weiteres Bild</translation>
  </message>
  <message>
   <source>1 notch</source>
   <translation>1 Raste</translation>
  </message>
  <message>
   <source>1 picture</source>
   <translation>1 Bild</translation>
  </message>
  <message>
   <source>1 picture goes along.</source>
   <translation>1 Bild geht mit.</translation>
  </message>
  <message>
   <source>1 picture was</source>
   <translation>1 Bild wurde</translation>
  </message>
  <message>
   <source>1 press</source>
   <translation>1 Tastendruck</translation>
  </message>
  <message>
   <source>1 rationale</source>
   <translation>1 Begründung</translation>
  </message>
  <message>
   <source>1 region</source>
   <translation>1 Bereich</translation>
  </message>
  <message>
   <source>1 region asks for attention</source>
   <translation>1 Bereich verlangt Aufmerksamkeit</translation>
  </message>
  <message>
   <source>1 region changed.</source>
   <translation>1 Bereich hat sich geändert.</translation>
  </message>
  <message>
   <source>1 response of a program</source>
   <translation>1 Antwort eines Programms</translation>
  </message>
  <message>
   <source>1 row</source>
   <translation>1 Zeile</translation>
  </message>
  <message>
   <source>1 screen</source>
   <translation>1 Bildschirm</translation>
  </message>
  <message>
   <source>1 selected box</source>
   <translation>1 ausgewählter Rahmen</translation>
  </message>
  <message>
   <source>1 sitting</source>
   <translation>1 Sitzung</translation>
  </message>
  <message>
   <source>1 source differs</source>
   <translation>1 Quelle weicht ab</translation>
  </message>
  <message>
   <source>1 step</source>
   <translation>1 Schritt</translation>
  </message>
  <message>
   <source>1 step has none. </source>
   <translation>1 Schritt hat keine. </translation>
  </message>
  <message>
   <source>1 text was typed, and the document is as it was.</source>
   <translation>1 Text wurde geschrieben, und das Dokument ist unverändert.</translation>
  </message>
  <message>
   <source>1 thing is different.</source>
   <translation>1 Sache ist anders.</translation>
  </message>
  <message>
   <source>; stands in the task</source>
   <translation>; steht in der Aufgabe</translation>
  </message>
  <message>
   <source>; {money} so far</source>
   <translation>; bisher {money}</translation>
  </message>
  <message>
   <source>A change was seen in its place; {width} x {height} pixels in {took} ms.</source>
   <translation>Eine Änderung war an ihrer Stelle zu sehen; {width} x {height} Pixel in {took} ms.</translation>
  </message>
  <message>
   <source>A chat a demo with Anthropic's computer tool, an example to put before a question.</source>
   <translation>Ein Gespräch je Demo mit dem Computer-Werkzeug von Anthropic, als Beispiel vor einer Frage.</translation>
  </message>
  <message>
   <source>A chat a demo with Gemini's computer tool, an example to put before a question.</source>
   <translation>Ein Gespräch je Demo mit dem Computer-Werkzeug von Gemini, als Beispiel vor einer Frage.</translation>
  </message>
  <message>
   <source>A chat a demo with OpenAI's computer tool, an example to put before a question.</source>
   <translation>Ein Gespräch je Demo mit dem Computer-Werkzeug von OpenAI, als Beispiel vor einer Frage.</translation>
  </message>
  <message>
   <source>A chat a step, or a demo, with its pictures: for trainers that read messages.</source>
   <translation>Ein Gespräch je Schritt oder Demo mit den Bildern: für Trainingsprogramme, die Nachrichten lesen.</translation>
  </message>
  <message>
   <source>A check of the result said so.</source>
   <translation>Eine Prüfung des Ergebnisses hat es bestätigt.</translation>
  </message>
  <message>
   <source>A click shows what an edit was about. Go here, or Enter, goes back to it, or forward.</source>
   <translation>Ein Klick zeigt, worum es bei einer Änderung ging. „Hierher gehen“ oder die Eingabetaste geht zu ihr zurück oder vor.</translation>
  </message>
  <message>
   <source>A column of the table, or the value beside it</source>
   <translation>Eine Spalte der Tabelle oder der Wert daneben</translation>
  </message>
  <message>
   <source>A cut lies between 1 and {value}, not at {at}.</source>
   <translation>Ein Schnitt liegt zwischen 1 und {value}, nicht bei {at}.</translation>
  </message>
  <message>
   <source>A demo has one end.</source>
   <translation>Eine Demo hat nur ein Ende.</translation>
  </message>
  <message>
   <source>A hot-key is one key, alone or with Ctrl, Alt, Shift or Meta held.</source>
   <translation>Ein Tastenkürzel ist eine Taste, allein oder zusammen mit Strg, Alt, Umschalt oder Meta.</translation>
  </message>
  <message>
   <source>A how-to a demo that agents load as a skill.</source>
   <translation>Eine Anleitung je Demo, die Agenten als Skill laden.</translation>
  </message>
  <message>
   <source>A key is pressed once at least.</source>
   <translation>Eine Taste wird mindestens einmal gedrückt.</translation>
  </message>
  <message>
   <source>A key was pressed whose text is unknown.</source>
   <translation>Es wurde eine Taste gedrückt, deren Text nicht bekannt ist.</translation>
  </message>
  <message>
   <source>A longer pause starts a new scroll step, s.</source>
   <translation>Nach einer längeren Pause beginnt ein neuer Scroll-Schritt, s.</translation>
  </message>
  <message>
   <source>A longer pause starts a new typing step, s.</source>
   <translation>Nach einer längeren Pause beginnt ein neuer Tipp-Schritt, s.</translation>
  </message>
  <message>
   <source>A longer rest during which the screen changes is a wait, s.</source>
   <translation>Eine längere Ruhe, in der sich der Bildschirm ändert, gilt als Warten, s.</translation>
  </message>
  <message>
   <source>A move of the pointer arrived in {took} ms.</source>
   <translation>Eine Bewegung des Zeigers kam in {took} ms an.</translation>
  </message>
  <message>
   <source>A name needs letters or digits, for instance last_name.</source>
   <translation>Ein Name braucht Buchstaben oder Ziffern, zum Beispiel nachname.</translation>
  </message>
  <message>
   <source>A new demo was made of the pictures; it stands in the library.</source>
   <translation>Aus den Bildern wurde eine neue Demo; sie steht in der Bibliothek.</translation>
  </message>
  <message>
   <source>A new demo was made of {pictures}, with {elements}.</source>
   <translation>Eine neue Demo ist entstanden; Bilder und Elemente: {pictures}, {elements}.</translation>
  </message>
  <message>
   <source>A new window with a profile of its own; the one that runs is left alone</source>
   <translation>Ein neues Fenster mit eigenem Profil; das laufende bleibt, wie es ist</translation>
  </message>
  <message>
   <source>A page a demo with words and pictures, for people.</source>
   <translation>Eine Seite je Demo mit Text und Bildern, für Menschen.</translation>
  </message>
  <message>
   <source>A paste becomes a typing step with the pasted text.</source>
   <translation>Einfügen wird zu einem Tipp-Schritt mit dem eingefügten Text.</translation>
  </message>
  <message>
   <source>A person</source>
   <translation>Ein Mensch</translation>
  </message>
  <message>
   <source>A person could not do it.</source>
   <translation>Eine Person konnte sie nicht ausführen.</translation>
  </message>
  <message>
   <source>A person drew this; Delete takes it away.</source>
   <translation>Von einem Menschen gezeichnet; Entf entfernt den Rahmen.</translation>
  </message>
  <message>
   <source>A person says that it is right</source>
   <translation>Ein Mensch hat es für richtig erklärt</translation>
  </message>
  <message>
   <source>A person set it aside.</source>
   <translation>Eine Person hat sie beiseitegelegt.</translation>
  </message>
  <message>
   <source>A person's words stay in any case</source>
   <translation>Was ein Mensch geschrieben hat, bleibt in jedem Fall</translation>
  </message>
  <message>
   <source>A pointer that rests longer and makes the screen change has hovered, ms.</source>
   <translation>Ruht der Zeiger länger und ändert sich dadurch der Bildschirm, gilt das als Zeigen, ms.</translation>
  </message>
  <message>
   <source>A press that is held longer is a long press, ms.</source>
   <translation>Wird länger gedrückt, ist es ein langer Druck, ms.</translation>
  </message>
  <message>
   <source>A press that moves further is a drag, px.</source>
   <translation>Bewegt sich der Zeiger beim Drücken weiter, ist es ein Ziehen, px.</translation>
  </message>
  <message>
   <source>A program answered late. It is asked less now, so that it is not slowed down.</source>
   <translation>Ein Programm hat spät geantwortet. Es wird jetzt seltener gefragt, damit es nicht langsamer wird.</translation>
  </message>
  <message>
   <source>A program answers too late and is asked nothing more: steps in it have no names, and are in doubt.</source>
   <translation>Ein Programm antwortet zu spät und wird nichts mehr gefragt: Schritte darin haben keine Namen und sind zweifelhaft.</translation>
  </message>
  <message>
   <source>A program with administrator rights has the input: close it, or start demopack with the same rights.</source>
   <translation>Ein Programm mit Administratorrechten hat die Eingabe: Schließen Sie es oder starten Sie demopack mit denselben Rechten.</translation>
  </message>
  <message>
   <source>A prompt a step with its picture and all that is right there, and a reward function: for verl and EasyR1.</source>
   <translation>Je Schritt eine Frage mit Bild und allem, was dort richtig ist, dazu die Belohnung: für verl und EasyR1.</translation>
  </message>
  <message>
   <source>A quotation mark is not closed.</source>
   <translation>Ein Anführungszeichen ist nicht geschlossen.</translation>
  </message>
  <message>
   <source>A recording cannot be stopped from within its own callbacks.</source>
   <translation>Eine Aufnahme kann nicht aus ihren eigenen Rückrufen beendet werden.</translation>
  </message>
  <message>
   <source>A recording desktop is open already.</source>
   <translation>Eine Aufnahme-Arbeitsfläche ist schon offen.</translation>
  </message>
  <message>
   <source>A region</source>
   <translation>Ein Bereich</translation>
  </message>
  <message>
   <source>A remark on this step</source>
   <translation>Anmerkung zu diesem Schritt</translation>
  </message>
  <message>
   <source>A result a demo as UFO's dataflow leaves them, in folders by how it ended.</source>
   <translation>Ein Ergebnis je Demo, wie UFOs Dataflow es hinterlässt, in Ordnern nach seinem Ausgang.</translation>
  </message>
  <message>
   <source>A result folder a demo as OSWorld writes them: actions, pictures, outcome.</source>
   <translation>Ein Ergebnisordner je Demo, wie OSWorld ihn schreibt: Aktionen, Bilder, Ausgang.</translation>
  </message>
  <message>
   <source>A sample for each</source>
   <translation>Ein Beispiel je</translation>
  </message>
  <message>
   <source>A script a demo that does the steps again on a screen that looks the same.</source>
   <translation>Ein Skript je Demo, das die Schritte auf einem gleich aussehenden Bildschirm wiederholt.</translation>
  </message>
  <message>
   <source>A scroll has one notch at least.</source>
   <translation>Gescrollt wird mindestens eine Raste weit.</translation>
  </message>
  <message>
   <source>A search was stopped; 1 screen is left.</source>
   <translation>Eine Suche wurde angehalten; 1 Bildschirm ist noch offen.</translation>
  </message>
  <message>
   <source>A search was stopped; {demos} demos are left.</source>
   <translation>Eine Suche wurde angehalten; {demos} Demos sind noch offen.</translation>
  </message>
  <message>
   <source>A search was stopped; {screens} screens are left.</source>
   <translation>Eine Suche wurde angehalten; {screens} Bildschirme sind noch offen.</translation>
  </message>
  <message>
   <source>A set of labelled screens, another library, or a folder with a data.yaml</source>
   <translation>Ein Satz Bildschirme mit ihren Elementen, eine andere Bibliothek oder ein Ordner mit einer data.yaml</translation>
  </message>
  <message>
   <source>A spot was shown on the screen, but the pictures do not show it in its place.</source>
   <translation>Ein Fleck wurde auf dem Bildschirm gezeigt, aber die Bilder zeigen ihn nicht an seiner Stelle.</translation>
  </message>
  <message>
   <source>A spot, no element</source>
   <translation>Eine Stelle, kein Element</translation>
  </message>
  <message>
   <source>A state that can be seen</source>
   <translation>Ein Zustand, der zu sehen ist</translation>
  </message>
  <message>
   <source>A state that cannot be seen</source>
   <translation>Ein Zustand, der nicht zu sehen ist</translation>
  </message>
  <message>
   <source>A step's question and answer as Large Action Models are trained on them.</source>
   <translation>Frage und Antwort eines Schritts, wie Large Action Models damit trainiert werden.</translation>
  </message>
  <message>
   <source>A table with a row for each time</source>
   <translation>Eine Tabelle mit einer Zeile für jedes Mal</translation>
  </message>
  <message>
   <source>A trajectory a demo in the interchange format of agents, with its pictures, valid by its own package.</source>
   <translation>Ein Ablauf je Demo im Austauschformat der Agenten, mit Bildern, gültig nach dessen eigenem Paket.</translation>
  </message>
  <message>
   <source>A type of element on its screens</source>
   <translation>Ein Typ von Element auf ihren Bildschirmen</translation>
  </message>
  <message>
   <source>A wait lasts longer than 0 seconds.</source>
   <translation>Ein Warten dauert länger als 0 Sekunden.</translation>
  </message>
  <message>
   <source>A window without a title</source>
   <translation>Ein Fenster ohne Titel</translation>
  </message>
  <message>
   <source>A {action} needs a target, and this step has none.</source>
   <translation>Die Aktion „{action}“ braucht ein Ziel, und dieser Schritt hat keines.</translation>
  </message>
  <message>
   <source>AP at IoU 0.5</source>
   <translation>AP bei IoU 0,5</translation>
  </message>
  <message>
   <source>AP at IoU 0.5, by type</source>
   <translation>AP bei IoU 0,5, nach Typ</translation>
  </message>
  <message>
   <source>AP at IoU 0.75</source>
   <translation>AP bei IoU 0,75</translation>
  </message>
  <message>
   <source>AS {upper} SAYS IT · {passing} OF {total} PASS</source>
   <translation>FASSUNG VON {upper} · {passing} VON {total} BESTEHEN</translation>
  </message>
  <message>
   <source>ATIF trajectory</source>
   <translation>ATIF-Ablauf</translation>
  </message>
  <message>
   <source>Abort replay</source>
   <translation>Wiedergabe abbrechen</translation>
  </message>
  <message>
   <source>About {tokens} of {budget} tokens, {characters} characters.</source>
   <translation>Etwa {tokens} von {budget} Token, {characters} Zeichen.</translation>
  </message>
  <message>
   <source>Accept</source>
   <translation>Annehmen</translation>
  </message>
  <message>
   <source>Accept all that are shown</source>
   <translation>Alle gezeigten annehmen</translation>
  </message>
  <message>
   <source>Accept all that pass ({passing})</source>
   <translation>Alle annehmen, die bestehen ({passing})</translation>
  </message>
  <message>
   <source>Accept all {shown} that are shown</source>
   <translation>Alle {shown} gezeigten annehmen</translation>
  </message>
  <message>
   <source>Accept by type</source>
   <translation>Nach Typ annehmen</translation>
  </message>
  <message>
   <source>Accept every suggestion that is shown</source>
   <translation>Jeden gezeigten Vorschlag annehmen</translation>
  </message>
  <message>
   <source>Accept or reject</source>
   <translation>Annehmen oder ablehnen</translation>
  </message>
  <message>
   <source>Accept or reject by type, or below the slider</source>
   <translation>Nach Typ oder unterhalb des Reglers annehmen oder ablehnen</translation>
  </message>
  <message>
   <source>Accept the recording</source>
   <translation>Aufnahme annehmen</translation>
  </message>
  <message>
   <source>Accept {count} suggestions</source>
   <translation>{count} Vorschläge annehmen</translation>
  </message>
  <message>
   <source>Accept {count} suggestions below {below:.2f}</source>
   <translation>{count} Vorschläge unter {below:.2f} annehmen</translation>
  </message>
  <message>
   <source>Accept {count} suggestions of type {type}</source>
   <translation>{count} Vorschläge vom Typ {type} annehmen</translation>
  </message>
  <message>
   <source>Accept {name}</source>
   <translation>{name} annehmen</translation>
  </message>
  <message>
   <source>Accept, and go to the next</source>
   <translation>Annehmen und weiter zum nächsten</translation>
  </message>
  <message>
   <source>Accepted</source>
   <translation>Angenommen</translation>
  </message>
  <message>
   <source>Accessibility</source>
   <translation>Barrierefreiheit</translation>
  </message>
  <message>
   <source>Accessibility allowed</source>
   <translation>Bedienungshilfen erlaubt</translation>
  </message>
  <message>
   <source>Accessibility's names and roles as suggestions</source>
   <translation>Namen und Rollen der Barrierefreiheit als Vorschläge</translation>
  </message>
  <message>
   <source>Action</source>
   <translation>Aktion</translation>
  </message>
  <message>
   <source>Action: its details</source>
   <translation>Aktion: Einzelheiten</translation>
  </message>
  <message>
   <source>Actions</source>
   <translation>Aktionen</translation>
  </message>
  <message>
   <source>Actual size</source>
   <translation>Originalgröße</translation>
  </message>
  <message>
   <source>Add a folder …</source>
   <translation>Ordner hinzufügen …</translation>
  </message>
  <message>
   <source>Add a picture of the screen</source>
   <translation>Bild des Bildschirms hinzufügen</translation>
  </message>
  <message>
   <source>Add a shot</source>
   <translation>Bild aufnehmen</translation>
  </message>
  <message>
   <source>Add what programs told</source>
   <translation>Angaben der Programme übernehmen</translation>
  </message>
  <message>
   <source>Add what the programs told about 1 element</source>
   <translation>Angaben der Programme zu 1 Element übernehmen</translation>
  </message>
  <message>
   <source>Add what the programs told about {count} elements</source>
   <translation>Angaben der Programme zu {count} Elementen übernehmen</translation>
  </message>
  <message>
   <source>Added</source>
   <translation>Neu</translation>
  </message>
  <message>
   <source>Added at step {number}</source>
   <translation>Neu bei Schritt {number}</translation>
  </message>
  <message>
   <source>Added the {kind} {name_words}.</source>
   <translation>Hinzugefügt: {kind} {name_words}.</translation>
  </message>
  <message>
   <source>Address</source>
   <translation>Adresse</translation>
  </message>
  <message>
   <source>After</source>
   <translation>Nachher</translation>
  </message>
  <message>
   <source>After this step the screen shows another value than “{text}”.</source>
   <translation>Nach diesem Schritt zeigt der Bildschirm einen anderen Wert als „{text}“.</translation>
  </message>
  <message>
   <source>After: what happened</source>
   <translation>Danach: was geschehen ist</translation>
  </message>
  <message>
   <source>After: what was written</source>
   <translation>Danach: was geschrieben wurde</translation>
  </message>
  <message>
   <source>Again</source>
   <translation>Noch einmal</translation>
  </message>
  <message>
   <source>AgentNet / OpenCUA</source>
   <translation>AgentNet / OpenCUA</translation>
  </message>
  <message>
   <source>Agreement</source>
   <translation>Übereinstimmung</translation>
  </message>
  <message>
   <source>All</source>
   <translation>Alle</translation>
  </message>
  <message>
   <source>All differences ({number})</source>
   <translation>Alle Unterschiede ({number})</translation>
  </message>
  <message>
   <source>All is well</source>
   <translation>Alles in Ordnung</translation>
  </message>
  <message>
   <source>All its pictures</source>
   <translation>Alle Bilder</translation>
  </message>
  <message>
   <source>All monitors</source>
   <translation>Alle Monitore</translation>
  </message>
  <message>
   <source>All programs</source>
   <translation>Alle Programme</translation>
  </message>
  <message>
   <source>All sources</source>
   <translation>Alle Quellen</translation>
  </message>
  <message>
   <source>All states</source>
   <translation>Alle Stände</translation>
  </message>
  <message>
   <source>All steps after this one</source>
   <translation>Alle Schritte nach diesem</translation>
  </message>
  <message>
   <source>All steps before this one</source>
   <translation>Alle Schritte vor diesem</translation>
  </message>
  <message>
   <source>All tabs</source>
   <translation>Alle Reiter</translation>
  </message>
  <message>
   <source>All {total} steps were done; nothing was there to compare.</source>
   <translation>Alle {total} Schritte sind ausgeführt; zu vergleichen gab es nichts.</translation>
  </message>
  <message>
   <source>Allow Accessibility in the system's privacy settings; until then pause before you type one.</source>
   <translation>Erlauben Sie die Bedienungshilfen in den Datenschutz-Einstellungen des Systems; machen Sie bis dahin Pause, bevor Sie eines eingeben.</translation>
  </message>
  <message>
   <source>Allow demopack (or the terminal) to control this computer in the system's privacy settings.</source>
   <translation>Erlauben Sie demopack (oder dem Terminal) in den Datenschutzeinstellungen des Systems, diesen Rechner zu steuern.</translation>
  </message>
  <message>
   <source>Allow demopack (or the terminal) to record the screen in the system's privacy settings.</source>
   <translation>Erlauben Sie demopack (oder dem Terminal) in den Datenschutzeinstellungen des Systems, den Bildschirm aufzunehmen.</translation>
  </message>
  <message>
   <source>Allow demopack (or the terminal) under System Settings, Privacy &amp; Security, Accessibility, then start it again.</source>
   <translation>Erlauben Sie demopack (oder das Terminal) unter Systemeinstellungen, Datenschutz &amp; Sicherheit, Bedienungshilfen, und starten Sie es dann neu.</translation>
  </message>
  <message>
   <source>Allow demopack (or the terminal) under System Settings, Privacy &amp; Security, Input Monitoring, then start it again.</source>
   <translation>Erlauben Sie demopack (oder das Terminal) unter Systemeinstellungen, Datenschutz &amp; Sicherheit, Eingabeüberwachung, und starten Sie es dann neu.</translation>
  </message>
  <message>
   <source>Allow demopack (or the terminal) under System Settings, Privacy &amp; Security, Screen Recording (Screen &amp; System Audio Recording since macOS 15), then start it again.</source>
   <translation>Erlauben Sie demopack (oder das Terminal) unter Systemeinstellungen, Datenschutz &amp; Sicherheit, Bildschirmaufnahme (seit macOS 15: Bildschirm- &amp; Systemaudioaufnahme), und starten Sie es dann neu.</translation>
  </message>
  <message>
   <source>Allow demopack (or the terminal) under System Settings, Privacy &amp; Security: Input Monitoring and Accessibility.</source>
   <translation>Erlauben Sie demopack (oder das Terminal) unter Systemeinstellungen, Datenschutz &amp; Sicherheit: Eingabeüberwachung und Bedienungshilfen.</translation>
  </message>
  <message>
   <source>Allow it under System Settings, Privacy &amp; Security, Accessibility and Input Monitoring, then start it again.</source>
   <translation>Erlauben Sie es unter Systemeinstellungen, Datenschutz &amp; Sicherheit, Bedienungshilfen und Eingabeüberwachung, und starten Sie es dann neu.</translation>
  </message>
  <message>
   <source>Allow it with --allow-launch {app}, or start the program yourself and delete the step.</source>
   <translation>Erlauben Sie es, bevor Sie starten ({app}), oder starten Sie das Programm selbst und löschen Sie den Schritt.</translation>
  </message>
  <message>
   <source>Allow screen recording for this program: System Settings, Privacy &amp; Security, Screen Recording.</source>
   <translation>Erlauben Sie diesem Programm, den Bildschirm aufzunehmen: Systemeinstellungen, Datenschutz &amp; Sicherheit, Bildschirmaufnahme.</translation>
  </message>
  <message>
   <source>Allow the demo to start this program</source>
   <translation>Der Demo erlauben, dieses Programm zu starten</translation>
  </message>
  <message>
   <source>Also all that a program wrote</source>
   <translation>Auch alles, was ein Programm geschrieben hat</translation>
  </message>
  <message>
   <source>Also replace</source>
   <translation>Außerdem ersetzen</translation>
  </message>
  <message>
   <source>Also replace a text, for instance a name</source>
   <translation>Außerdem einen Text ersetzen, zum Beispiel einen Namen</translation>
  </message>
  <message>
   <source>Also right</source>
   <translation>Auch richtig</translation>
  </message>
  <message>
   <source>Also what is out of date</source>
   <translation>Auch Veraltetes</translation>
  </message>
  <message>
   <source>Also where nothing tells whether they arrive where they did in the recording</source>
   <translation>Auch dort, wo nichts verrät, ob sie ankommen, wo sie bei der Aufnahme ankamen</translation>
  </message>
  <message>
   <source>Alt</source>
   <translation>Alt</translation>
  </message>
  <message>
   <source>Alt and drag</source>
   <translation>Alt und Ziehen</translation>
  </message>
  <message>
   <source>Alternatives belong to steps that act on an element.</source>
   <translation>Alternativen gibt es nur bei Schritten, die auf ein Element wirken.</translation>
  </message>
  <message>
   <source>Always the same: {names}.</source>
   <translation>Immer gleich: {names}.</translation>
  </message>
  <message>
   <source>Always this text</source>
   <translation>Immer dieser Text</translation>
  </message>
  <message>
   <source>An area moved down by {px} px.</source>
   <translation>Ein Bereich ist um {px} px nach unten gerückt.</translation>
  </message>
  <message>
   <source>An area moved to the left by {px} px.</source>
   <translation>Ein Bereich ist um {px} px nach links gerückt.</translation>
  </message>
  <message>
   <source>An area moved to the right by {px} px.</source>
   <translation>Ein Bereich ist um {px} px nach rechts gerückt.</translation>
  </message>
  <message>
   <source>An area moved up by {px} px.</source>
   <translation>Ein Bereich ist um {px} px nach oben gerückt.</translation>
  </message>
  <message>
   <source>An element</source>
   <translation>Ein Element</translation>
  </message>
  <message>
   <source>An element in words and where it is, a row an element: for models that point at what they are told.</source>
   <translation>Eine Zeile je Element, in Worten und mit seinem Ort: für Modelle, die zeigen, was man ihnen nennt.</translation>
  </message>
  <message>
   <source>An element without a name ({role})</source>
   <translation>Ein Element ohne Namen ({role})</translation>
  </message>
  <message>
   <source>An episode a demo for OpenAdapt, elements and targets in pixels.</source>
   <translation>Eine Episode je Demo für OpenAdapt, Elemente und Ziele in Pixeln.</translation>
  </message>
  <message>
   <source>An unknown row was begun when an earlier run was cut off, and may be done in part: look there, and decide.</source>
   <translation>Eine ungewisse Zeile war angefangen, als ein früherer Lauf abbrach, und kann zum Teil ausgeführt sein: Sehen Sie dort nach und entscheiden Sie.</translation>
  </message>
  <message>
   <source>And do not ask again (K)</source>
   <translation>Und nicht wieder fragen (K)</translation>
  </message>
  <message>
   <source>And {count}.</source>
   <translation>Und {count}.</translation>
  </message>
  <message>
   <source>Another demopack is at work on these rows ({path}).</source>
   <translation>Ein anderes demopack arbeitet an diesen Zeilen ({path}).</translation>
  </message>
  <message>
   <source>Another person's library, a pack, or annotations of the same pictures</source>
   <translation>Bibliothek einer anderen Person, ein Paket oder Annotationen derselben Bilder</translation>
  </message>
  <message>
   <source>Another picture after it</source>
   <translation>Ein anderes Bild danach</translation>
  </message>
  <message>
   <source>Another picture at the end</source>
   <translation>Ein anderes Bild am Ende</translation>
  </message>
  <message>
   <source>Another picture before it</source>
   <translation>Ein anderes Bild davor</translation>
  </message>
  <message>
   <source>Another place in the order</source>
   <translation>Eine andere Stelle in der Reihenfolge</translation>
  </message>
  <message>
   <source>Another time</source>
   <translation>Eine andere Zeit</translation>
  </message>
  <message>
   <source>Another window</source>
   <translation>Ein anderes Fenster</translation>
  </message>
  <message>
   <source>Another window changed this demo {count} times, last: “{label}”. You see it here.</source>
   <translation>Ein anderes Fenster hat diese Demo {count}-mal geändert, zuletzt: „{label}“. Hier ist es zu sehen.</translation>
  </message>
  <message>
   <source>Another window changed this demo: “{label}”. You see it here.</source>
   <translation>Ein anderes Fenster hat diese Demo geändert: „{label}“. Hier ist es zu sehen.</translation>
  </message>
  <message>
   <source>Another window did “{label}” again. You see it here.</source>
   <translation>Ein anderes Fenster hat „{label}“ wiederholt. Hier ist es zu sehen.</translation>
  </message>
  <message>
   <source>Another window lies over what it acts on.</source>
   <translation>Ein anderes Fenster liegt über dem, worauf er wirkt.</translation>
  </message>
  <message>
   <source>Another window or field has the keyboard.</source>
   <translation>Ein anderes Fenster oder Feld hat die Tastatur.</translation>
  </message>
  <message>
   <source>Another window took “{label}” back. You see it here.</source>
   <translation>Ein anderes Fenster hat „{label}“ zurückgenommen. Hier ist es zu sehen.</translation>
  </message>
  <message>
   <source>Another window, {window},</source>
   <translation>Ein anderes Fenster, {window},</translation>
  </message>
  <message>
   <source>Anthropic, examples with computer tools</source>
   <translation>Anthropic, Beispiele mit Computer-Werkzeugen</translation>
  </message>
  <message>
   <source>Appearance</source>
   <translation>Aussehen</translation>
  </message>
  <message>
   <source>Application</source>
   <translation>Programm</translation>
  </message>
  <message>
   <source>Application (optional)</source>
   <translation>Anwendung (optional)</translation>
  </message>
  <message>
   <source>Approve</source>
   <translation>Freigeben</translation>
  </message>
  <message>
   <source>Approve and go on</source>
   <translation>Freigeben und weiter</translation>
  </message>
  <message>
   <source>Approve mine and do not ask again (Shift+Enter)</source>
   <translation>Meines bestätigen und nicht mehr fragen (Umschalt+Eingabe)</translation>
  </message>
  <message>
   <source>Approve step</source>
   <translation>Schritt freigeben</translation>
  </message>
  <message>
   <source>Approve the selected element, and go on</source>
   <translation>Das ausgewählte Element freigeben und weiter</translation>
  </message>
  <message>
   <source>Approve {count} elements</source>
   <translation>{count} Elemente freigeben</translation>
  </message>
  <message>
   <source>Approve {element}</source>
   <translation>{element} freigeben</translation>
  </message>
  <message>
   <source>Approve {name}</source>
   <translation>{name} freigeben</translation>
  </message>
  <message>
   <source>Approve {step}</source>
   <translation>{step} freigeben</translation>
  </message>
  <message>
   <source>Approved</source>
   <translation>Freigegeben</translation>
  </message>
  <message>
   <source>Approved and reported screens of this library</source>
   <translation>Bestätigte und gemeldete Bildschirme dieser Bibliothek</translation>
  </message>
  <message>
   <source>Approved with {hidden} suggestions below {least:.2f} that are hidden.</source>
   <translation>Freigegeben; {hidden} Vorschläge unter {least:.2f} sind dabei ausgeblendet.</translation>
  </message>
  <message>
   <source>Apr</source>
   <translation>April</translation>
  </message>
  <message>
   <source>Arrow keys show a template on the picture, Enter places it, F2 renames, Delete deletes</source>
   <translation>Pfeiltasten zeigen eine Vorlage auf dem Bild, Eingabe setzt sie ein, F2 benennt um, Entf löscht</translation>
  </message>
  <message>
   <source>As for applications, by window title.</source>
   <translation>Wie bei Anwendungen, nach Fenstertitel.</translation>
  </message>
  <message>
   <source>As for the language model in general; where nothing is said, the same.</source>
   <translation>Wie beim Sprachmodell allgemein; wo nichts steht, dasselbe.</translation>
  </message>
  <message>
   <source>As in the settings</source>
   <translation>Wie in den Einstellungen</translation>
  </message>
  <message>
   <source>As it was before the first edit</source>
   <translation>Wie vor der ersten Änderung</translation>
  </message>
  <message>
   <source>As recorded</source>
   <translation>Wie aufgenommen</translation>
  </message>
  <message>
   <source>As right as the target</source>
   <translation>So richtig wie das Ziel</translation>
  </message>
  <message>
   <source>As the system</source>
   <translation>Wie im System</translation>
  </message>
  <message>
   <source>As they were begun; nothing that is done is done again</source>
   <translation>So, wie sie begonnen wurden; nichts Erledigtes wird wiederholt</translation>
  </message>
  <message>
   <source>Ask later</source>
   <translation>Später fragen</translation>
  </message>
  <message>
   <source>Ask programs about their fields</source>
   <translation>Programme nach ihren Feldern fragen</translation>
  </message>
  <message>
   <source>At any time</source>
   <translation>Irgendwann</translation>
  </message>
  <message>
   <source>At most so many demos are shown; those that fit the task best</source>
   <translation>Höchstens so viele Demos werden gezeigt, und zwar die, die am besten zur Aufgabe passen</translation>
  </message>
  <message>
   <source>Attribute mode: another attribute</source>
   <translation>Attributmodus: anderes Attribut</translation>
  </message>
  <message>
   <source>Attributes</source>
   <translation>Attribute</translation>
  </message>
  <message>
   <source>Aug</source>
   <translation>Aug.</translation>
  </message>
  <message>
   <source>Back</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <source>Back to editing</source>
   <translation>Zurück zum Bearbeiten</translation>
  </message>
  <message>
   <source>Back to nothing</source>
   <translation>Zurück auf leer</translation>
  </message>
  <message>
   <source>Back to the library</source>
   <translation>Zurück zur Bibliothek</translation>
  </message>
  <message>
   <source>Back to {shown}</source>
   <translation>Zurück auf {shown}</translation>
  </message>
  <message>
   <source>Before</source>
   <translation>Vorher</translation>
  </message>
  <message>
   <source>Before or after</source>
   <translation>Vorher oder nachher</translation>
  </message>
  <message>
   <source>Before: what would be lost</source>
   <translation>Vorher: was verloren ginge</translation>
  </message>
  <message>
   <source>Before: what would happen</source>
   <translation>Vorher: was geschähe</translation>
  </message>
  <message>
   <source>Begin a training with this model</source>
   <translation>Ein Training mit diesem Modell beginnen</translation>
  </message>
  <message>
   <source>Begin anew at the first row</source>
   <translation>Bei der ersten Zeile neu beginnen</translation>
  </message>
  <message>
   <source>Begin anew with --restart; it keeps a copy.</source>
   <translation>Beginnen Sie neu bei der ersten Zeile; eine Kopie bleibt erhalten.</translation>
  </message>
  <message>
   <source>Begin with</source>
   <translation>Beginnen mit</translation>
  </message>
  <message>
   <source>Begun with</source>
   <translation>Begonnen mit</translation>
  </message>
  <message>
   <source>Being tried out …</source>
   <translation>Wird ausprobiert …</translation>
  </message>
  <message>
   <source>Below the line with the names of the columns, one row each.</source>
   <translation>Unter der Zeile mit den Namen der Spalten steht je eine Zeile.</translation>
  </message>
  <message>
   <source>Between frames while nothing happens, ms.</source>
   <translation>Zwischen zwei Bildern, während nichts geschieht, ms.</translation>
  </message>
  <message>
   <source>Between frames while something happens, ms.</source>
   <translation>Zwischen zwei Bildern, während etwas geschieht, ms.</translation>
  </message>
  <message>
   <source>Between screens of one demo only the changed regions are looked at again.</source>
   <translation>Zwischen den Bildschirmen einer Demo werden nur die geänderten Bereiche neu untersucht.</translation>
  </message>
  <message>
   <source>Between two steps, s.</source>
   <translation>Zwischen zwei Schritten, s.</translation>
  </message>
  <message>
   <source>Blink</source>
   <translation>Blinken</translation>
  </message>
  <message>
   <source>Blocked applications</source>
   <translation>Gesperrte Anwendungen</translation>
  </message>
  <message>
   <source>Blocked applications and windows cannot be kept out: the windows of this desktop are not known.</source>
   <translation>Gesperrte Anwendungen und Fenster lassen sich nicht auslassen: Die Fenster dieses Desktops sind nicht bekannt.</translation>
  </message>
  <message>
   <source>Blocked regions</source>
   <translation>Gesperrte Bereiche</translation>
  </message>
  <message>
   <source>Blocked window titles</source>
   <translation>Gesperrte Fenstertitel</translation>
  </message>
  <message>
   <source>Both in the same place, in turn</source>
   <translation>Beide am selben Platz, abwechselnd</translation>
  </message>
  <message>
   <source>Both models look at every screen of the demo</source>
   <translation>Beide Modelle untersuchen jeden Bildschirm der Demo</translation>
  </message>
  <message>
   <source>Both parts must do something.</source>
   <translation>Beide Teile müssen etwas tun.</translation>
  </message>
  <message>
   <source>Both pictures beside each other</source>
   <translation>Beide Bilder nebeneinander</translation>
  </message>
  <message>
   <source>Both see the same</source>
   <translation>Beide sehen dasselbe</translation>
  </message>
  <message>
   <source>Box</source>
   <translation>Rahmen</translation>
  </message>
  <message>
   <source>Boxes</source>
   <translation>Rahmen</translation>
  </message>
  <message>
   <source>Boxes come from text and shapes alone</source>
   <translation>Rahmen entstehen allein aus Text und Formen</translation>
  </message>
  <message>
   <source>Boxes that come back on many pictures can be kept here and placed with two keys.</source>
   <translation>Rahmen, die auf vielen Bildern wiederkehren, lassen sich hier aufheben und mit zwei Tasten einsetzen.</translation>
  </message>
  <message>
   <source>Boxes tightened</source>
   <translation>Rahmen angepasst</translation>
  </message>
  <message>
   <source>Boxes: F1 {half} at an overlap of a half, {most} at three quarters.</source>
   <translation>Rahmen: F1 {half} bei halber Überlappung, {most} bei drei Vierteln.</translation>
  </message>
  <message>
   <source>Bring back the {rejected} that were rejected</source>
   <translation>Die {rejected} abgelehnten zurückholen</translation>
  </message>
  <message>
   <source>Bring back {count} suggestions that were rejected</source>
   <translation>{count} abgelehnte Vorschläge zurückholen</translation>
  </message>
  <message>
   <source>Bring back {name}</source>
   <translation>{name} zurückholen</translation>
  </message>
  <message>
   <source>Bring in tasks from files</source>
   <translation>Aufgaben aus Dateien holen</translation>
  </message>
  <message>
   <source>Bring it back to go on; nothing is recorded meanwhile.</source>
   <translation>Holen Sie es zurück, um fortzufahren; bis dahin wird nichts aufgenommen.</translation>
  </message>
  <message>
   <source>Bring the recorded window to the front, with the cursor where it was, and replay again. Where a program tells nothing about itself, --unchecked-keys allows keys that could not be checked.</source>
   <translation>Holen Sie das aufgenommene Fenster nach vorn, mit der Schreibmarke an ihrer Stelle, und wiederholen Sie noch einmal. Wo ein Programm nichts über sich sagt, erlaubt --unchecked-keys auch Tasten, die sich nicht prüfen ließen.</translation>
  </message>
  <message>
   <source>Bring the screen to how it looks here, before step {number}, then start.</source>
   <translation>Den Bildschirm so herrichten, wie er hier vor Schritt {number} aussieht, dann starten.</translation>
  </message>
  <message>
   <source>Bring the screen to where it begins</source>
   <translation>Bringen Sie den Bildschirm an den Anfang</translation>
  </message>
  <message>
   <source>Bring the screen to where the demo begins:</source>
   <translation>Bringen Sie den Bildschirm dorthin, wo die Demo beginnt:</translation>
  </message>
  <message>
   <source>Bring the screen to where the step begins, or correct the step's target in the editor.</source>
   <translation>Bringen Sie den Bildschirm dorthin, wo der Schritt beginnt, oder berichtigen Sie das Ziel des Schritts im Editor.</translation>
  </message>
  <message>
   <source>Brought in {who}</source>
   <translation>Eingebracht {who}</translation>
  </message>
  <message>
   <source>Budget</source>
   <translation>Budget</translation>
  </message>
  <message>
   <source>Building a prompt</source>
   <translation>Prompt wird gebaut</translation>
  </message>
  <message>
   <source>Button</source>
   <translation>Maustaste</translation>
  </message>
  <message>
   <source>Buttons, lists and fields need {key}. Add Ctrl or Alt to it.</source>
   <translation>Schaltflächen, Listen und Felder brauchen {key}. Strg oder Alt dazunehmen.</translation>
  </message>
  <message>
   <source>By a strict schema, or asked for in the prompt; auto asks when the server knows no schemas.</source>
   <translation>Nach festem Schema oder als Bitte in der Anfrage; auto bittet, wenn der Server keine Schemas kennt.</translation>
  </message>
  <message>
   <source>By program</source>
   <translation>Nach Programm</translation>
  </message>
  <message>
   <source>By source</source>
   <translation>Nach Quelle</translation>
  </message>
  <message>
   <source>By the names of actions, where they are not the usual ones; changed in the editor with F2.</source>
   <translation>Nach den Namen der Aktionen, wo sie nicht die üblichen sind; im Editor mit F2 zu ändern.</translation>
  </message>
  <message>
   <source>CAAP demonstrations</source>
   <translation>CAAP-Vorführungen</translation>
  </message>
  <message>
   <source>COCO of the elements</source>
   <translation>COCO der Elemente</translation>
  </message>
  <message>
   <source>COCO with attributes</source>
   <translation>COCO mit Attributen</translation>
  </message>
  <message>
   <source>CVAT for images 1.1</source>
   <translation>CVAT für Bilder 1.1</translation>
  </message>
  <message>
   <source>CVAT for video 1.1, with tracks</source>
   <translation>CVAT für Video 1.1, mit Spuren</translation>
  </message>
  <message>
   <source>Calls of Qwen's computer_use a step for Qwen2.5-VL, places in pixels of the picture as it resizes it.</source>
   <translation>Aufrufe von Qwens computer_use je Schritt für Qwen2.5-VL, Stellen in Pixeln des Bildes, wie es dieses skaliert.</translation>
  </message>
  <message>
   <source>Calls of Qwen's computer_use a step, places from 0 to 999, in the form of Qwen-VL's finetuning.</source>
   <translation>Je Schritt Aufrufe von Qwens computer_use, Orte von 0 bis 999, in der Form von Qwen-VLs Feintraining.</translation>
  </message>
  <message>
   <source>Came with demopack</source>
   <translation>Mit demopack geliefert</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Cancel this job</source>
   <translation>Diesen Auftrag abbrechen</translation>
  </message>
  <message>
   <source>Cannot be done</source>
   <translation>Geht nicht</translation>
  </message>
  <message>
   <source>Cannot be used</source>
   <translation>Nicht verwendbar</translation>
  </message>
  <message>
   <source>Carried over</source>
   <translation>Übernommen</translation>
  </message>
  <message>
   <source>Carried over to {hops} pictures. {asking}</source>
   <translation>Auf {hops} Bilder übernommen. {asking}</translation>
  </message>
  <message>
   <source>Carry it out</source>
   <translation>Ausführen</translation>
  </message>
  <message>
   <source>Carry over 1 element from step {step}</source>
   <translation>1 Element aus Schritt {step} übernehmen</translation>
  </message>
  <message>
   <source>Carry over from the previous step</source>
   <translation>Vom vorherigen Schritt übernehmen</translation>
  </message>
  <message>
   <source>Carry over to all following steps</source>
   <translation>Auf alle folgenden Schritte übernehmen</translation>
  </message>
  <message>
   <source>Carry over to the next five steps</source>
   <translation>Auf die nächsten fünf Schritte übernehmen</translation>
  </message>
  <message>
   <source>Carry over what was rejected in step {step}</source>
   <translation>In Schritt {step} Abgelehntes übernehmen</translation>
  </message>
  <message>
   <source>Carry over {count} elements from step {step}</source>
   <translation>{count} Elemente aus Schritt {step} übernehmen</translation>
  </message>
  <message>
   <source>Carry over {count} elements to 1 picture</source>
   <translation>{count} Elemente in 1 Bild übernehmen</translation>
  </message>
  <message>
   <source>Carry over {count} elements to {pictures} pictures</source>
   <translation>{count} Elemente in {pictures} Bilder übernehmen</translation>
  </message>
  <message>
   <source>Carrying over</source>
   <translation>Wird übernommen</translation>
  </message>
  <message>
   <source>Carrying over to step {target_step}</source>
   <translation>Wird auf Schritt {target_step} übernommen</translation>
  </message>
  <message>
   <source>Change</source>
   <translation>Ändern</translation>
  </message>
  <message>
   <source>Change also what a person made</source>
   <translation>Auch von Hand Gemachtes ändern</translation>
  </message>
  <message>
   <source>Change an element here only, or on all its pictures</source>
   <translation>Ein Element nur hier oder auf allen seinen Bildern ändern</translation>
  </message>
  <message>
   <source>Change keys</source>
   <translation>Tasten ändern</translation>
  </message>
  <message>
   <source>Change nothing</source>
   <translation>Nichts ändern</translation>
  </message>
  <message>
   <source>Change nothing and go back</source>
   <translation>Nichts ändern und zurück</translation>
  </message>
  <message>
   <source>Change steps</source>
   <translation>Schritte ändern</translation>
  </message>
  <message>
   <source>Change {step} to “{action}”</source>
   <translation>{step} zu „{action}“ ändern</translation>
  </message>
  <message>
   <source>Changed</source>
   <translation>Geändert</translation>
  </message>
  <message>
   <source>Changed at step {number}</source>
   <translation>Geändert bei Schritt {number}</translation>
  </message>
  <message>
   <source>Changed region {place} of {count} on this picture</source>
   <translation>Geänderter Bereich {place} von {count} auf diesem Bild</translation>
  </message>
  <message>
   <source>Changed region {place} of {count} on this picture; suggestions in it that are hidden: {hidden}</source>
   <translation>Geänderter Bereich {place} von {count} auf diesem Bild; ausgeblendete Vorschläge darin: {hidden}</translation>
  </message>
  <message>
   <source>Changes go to</source>
   <translation>Änderungen gelten für</translation>
  </message>
  <message>
   <source>Changes go to all pictures of an element</source>
   <translation>Änderungen gelten für alle Bilder eines Elements</translation>
  </message>
  <message>
   <source>Changing {count:,} …</source>
   <translation>{count:,} werden geändert …</translation>
  </message>
  <message>
   <source>Character errors</source>
   <translation>Zeichenfehler</translation>
  </message>
  <message>
   <source>Chat messages a step with the picture inside: what most finetuning services take.</source>
   <translation>Chat-Nachrichten je Schritt, das Bild darin: was die meisten Dienste zum Feintraining nehmen.</translation>
  </message>
  <message>
   <source>Check</source>
   <translation>Prüfen</translation>
  </message>
  <message>
   <source>Check holds them against the screens.</source>
   <translation>„Prüfen“ vergleicht sie mit den Bildschirmen.</translation>
  </message>
  <message>
   <source>Check its permissions, or choose another library.</source>
   <translation>Prüfen Sie die Zugriffsrechte oder wählen Sie eine andere Bibliothek.</translation>
  </message>
  <message>
   <source>Check that it runs, that DISPLAY is right and that you may use it (xhost, XAUTHORITY).</source>
   <translation>Prüfen Sie, ob er läuft, ob DISPLAY stimmt und ob Sie ihn benutzen dürfen (xhost, XAUTHORITY).</translation>
  </message>
  <message>
   <source>Check that the session is unlocked and that DISPLAY names it; on Wayland choose an Xorg session.</source>
   <translation>Prüfen Sie, ob die Sitzung entsperrt ist und DISPLAY sie nennt; unter Wayland wählen Sie eine Xorg-Sitzung.</translation>
  </message>
  <message>
   <source>Check that the session is unlocked and that programs can open windows in it.</source>
   <translation>Prüfen Sie, ob die Sitzung entsperrt ist und Programme darin Fenster öffnen können.</translation>
  </message>
  <message>
   <source>Check that the session is unlocked.</source>
   <translation>Prüfen Sie, ob die Sitzung entsperrt ist.</translation>
  </message>
  <message>
   <source>Checking rationales</source>
   <translation>Begründungen prüfen</translation>
  </message>
  <message>
   <source>Choose a demo and press Show what changed: both models look at its screens.</source>
   <translation>Eine Demo wählen und „Änderungen zeigen“ drücken: Beide Modelle untersuchen ihre Bildschirme.</translation>
  </message>
  <message>
   <source>Choose a folder and write the annotations into it</source>
   <translation>Einen Ordner wählen und die Annotationen hineinschreiben</translation>
  </message>
  <message>
   <source>Choose a folder with annotations</source>
   <translation>Einen Ordner mit Annotationen wählen</translation>
  </message>
  <message>
   <source>Choose a monitor or a region instead.</source>
   <translation>Wählen Sie stattdessen einen Monitor oder einen Bereich.</translation>
  </message>
  <message>
   <source>Choose a step in which something is typed.</source>
   <translation>Einen Schritt wählen, in dem etwas getippt wird.</translation>
  </message>
  <message>
   <source>Choose a step.</source>
   <translation>Wählen Sie einen Schritt.</translation>
  </message>
  <message>
   <source>Choose a type by its letters</source>
   <translation>Typ mit Buchstaben wählen</translation>
  </message>
  <message>
   <source>Choose another folder.</source>
   <translation>Einen anderen Ordner wählen.</translation>
  </message>
  <message>
   <source>Choose another key in the settings, under recorder.hotkeys.</source>
   <translation>Wählen Sie in den Einstellungen eine andere Taste, unter recorder.hotkeys.</translation>
  </message>
  <message>
   <source>Choose another name.</source>
   <translation>Einen anderen Namen wählen.</translation>
  </message>
  <message>
   <source>Choose another region.</source>
   <translation>Wählen Sie einen anderen Bereich.</translation>
  </message>
  <message>
   <source>Choose one of the same screen.</source>
   <translation>Eines vom selben Bildschirm wählen.</translation>
  </message>
  <message>
   <source>Choose one, or write a part of its title.</source>
   <translation>Eines wählen oder einen Teil seines Titels schreiben.</translation>
  </message>
  <message>
   <source>Choose the column that a variable takes its value from.</source>
   <translation>Wählen Sie die Spalte, aus der eine Variable ihren Wert nimmt.</translation>
  </message>
  <message>
   <source>Choose the folder of the other one's work</source>
   <translation>Den Ordner mit der Arbeit der anderen Person wählen</translation>
  </message>
  <message>
   <source>Choose the library, or add a folder.</source>
   <translation>Die Bibliothek wählen oder einen Ordner hinzufügen.</translation>
  </message>
  <message>
   <source>Choose two models and a demo.</source>
   <translation>Zwei Modelle und eine Demo wählen.</translation>
  </message>
  <message>
   <source>Choose what to learn from, and how long</source>
   <translation>Wählen, woraus und wie lange gelernt wird</translation>
  </message>
  <message>
   <source>Choose where the folder goes</source>
   <translation>Wählen, wohin der Ordner kommt</translation>
  </message>
  <message>
   <source>Choose …</source>
   <translation>Wählen …</translation>
  </message>
  <message>
   <source>Chosen</source>
   <translation>Auswahl</translation>
  </message>
  <message>
   <source>Clear</source>
   <translation>Deutliche</translation>
  </message>
  <message>
   <source>Clear the end target of {step}</source>
   <translation>Endziel von {step} entfernen</translation>
  </message>
  <message>
   <source>Clear the placeholder of {element}</source>
   <translation>Platzhalter von {element} löschen</translation>
  </message>
  <message>
   <source>Clear the rationale of {step}</source>
   <translation>Begründung von {step} entfernen</translation>
  </message>
  <message>
   <source>Clear the subtype of {element}</source>
   <translation>Untertyp von {element} entfernen</translation>
  </message>
  <message>
   <source>Clear the target</source>
   <translation>Ziel entfernen</translation>
  </message>
  <message>
   <source>Clear the target of {step}</source>
   <translation>Ziel von {step} entfernen</translation>
  </message>
  <message>
   <source>Clear the text of {element}</source>
   <translation>Text von {element} entfernen</translation>
  </message>
  <message>
   <source>Clear where it ends</source>
   <translation>Endpunkt entfernen</translation>
  </message>
  <message>
   <source>Click</source>
   <translation>Klicken</translation>
  </message>
  <message>
   <source>Click a box to select it, or drag to draw one. A new box is a</source>
   <translation>Rahmen anklicken, um ihn auszuwählen, oder ziehen, um einen zu zeichnen. Neue Rahmen haben den Typ</translation>
  </message>
  <message>
   <source>Click again</source>
   <translation>Noch einmal klicken</translation>
  </message>
  <message>
   <source>Click the element. Esc ends it.</source>
   <translation>Das Element anklicken. Esc beendet es.</translation>
  </message>
  <message>
   <source>Click {where}</source>
   <translation>{where} anklicken</translation>
  </message>
  <message>
   <source>Click, then press the keys. Backspace takes the key away, Esc leaves it.</source>
   <translation>Hier klicken, dann die Tasten drücken. Rücktaste entfernt das Kürzel, Esc lässt alles beim Alten.</translation>
  </message>
  <message>
   <source>Clicked {where}</source>
   <translation>{where} angeklickt</translation>
  </message>
  <message>
   <source>Clipboard</source>
   <translation>Zwischenablage</translation>
  </message>
  <message>
   <source>Clipboard texts are kept.</source>
   <translation>Texte der Zwischenablage werden gespeichert.</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Close or move what lies over it, and try again.</source>
   <translation>Schließen oder verschieben Sie, was darüber liegt, und versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>Close programs that hold mouse and keyboard, and try again.</source>
   <translation>Schließen Sie Programme, die Maus und Tastatur festhalten, und versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>Close the statistics</source>
   <translation>Statistik schließen</translation>
  </message>
  <message>
   <source>Close this message</source>
   <translation>Diese Meldung schließen</translation>
  </message>
  <message>
   <source>Close this tab</source>
   <translation>Diesen Reiter schließen</translation>
  </message>
  <message>
   <source>Close what protects the screen, such as a video with copy protection; in a remote session keep its window open.</source>
   <translation>Schließen Sie, was den Bildschirm schützt, etwa ein Video mit Kopierschutz; bei einer Remotesitzung lassen Sie ihr Fenster offen.</translation>
  </message>
  <message>
   <source>Close what took the focus, see to what has been typed, and replay again.</source>
   <translation>Schließen Sie, was den Fokus nahm, sehen Sie nach, was getippt wurde, und wiederholen Sie noch einmal.</translation>
  </message>
  <message>
   <source>Collected</source>
   <translation>Gesammelt</translation>
  </message>
  <message>
   <source>Collecting what was approved …</source>
   <translation>Freigegebenes wird gesammelt …</translation>
  </message>
  <message>
   <source>Command</source>
   <translation>Befehl</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>Compare before and after</source>
   <translation>Vorher und Nachher vergleichen</translation>
  </message>
  <message>
   <source>Compare before and after: side by side, blink, off (Space flips)</source>
   <translation>Vorher und Nachher vergleichen: nebeneinander, blinkend, aus (Leertaste wechselt)</translation>
  </message>
  <message>
   <source>Compare with another one.</source>
   <translation>Mit einer anderen vergleichen.</translation>
  </message>
  <message>
   <source>Compare with another person</source>
   <translation>Mit einer anderen Person vergleichen</translation>
  </message>
  <message>
   <source>Comparing</source>
   <translation>Vergleichen</translation>
  </message>
  <message>
   <source>Comparing models</source>
   <translation>Modelle werden verglichen</translation>
  </message>
  <message>
   <source>Comparing the pictures</source>
   <translation>Bilder werden verglichen</translation>
  </message>
  <message>
   <source>Comparison</source>
   <translation>Vergleich</translation>
  </message>
  <message>
   <source>Comparison of before and after</source>
   <translation>Vergleich von Vorher und Nachher</translation>
  </message>
  <message>
   <source>Confidence</source>
   <translation>Sicherheit</translation>
  </message>
  <message>
   <source>Connect it, or choose another: {monitors}.</source>
   <translation>Schließen Sie ihn an oder wählen Sie einen anderen: {monitors}.</translation>
  </message>
  <message>
   <source>Connect its drive again.</source>
   <translation>Schließen Sie ihr Laufwerk wieder an.</translation>
  </message>
  <message>
   <source>Continue</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <source>Continuing the training</source>
   <translation>Training wird fortgesetzt</translation>
  </message>
  <message>
   <source>Copied 1 box.</source>
   <translation>1 Rahmen kopiert.</translation>
  </message>
  <message>
   <source>Copied {count} boxes.</source>
   <translation>{count} Rahmen kopiert.</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>Kopieren</translation>
  </message>
  <message>
   <source>Copy a model folder, from a training or from someone else</source>
   <translation>Einen Modellordner kopieren, aus einem Training oder von jemand anderem</translation>
  </message>
  <message>
   <source>Copy boxes over steps</source>
   <translation>Rahmen über mehrere Schritte kopieren</translation>
  </message>
  <message>
   <source>Copy prompt</source>
   <translation>Prompt kopieren</translation>
  </message>
  <message>
   <source>Copy the selected boxes over a range of steps, or remove them there</source>
   <translation>Die ausgewählten Rahmen auf eine Reihe von Schritten kopieren oder dort entfernen</translation>
  </message>
  <message>
   <source>Copy the selected boxes to these steps</source>
   <translation>Die ausgewählten Rahmen auf diese Schritte kopieren</translation>
  </message>
  <message>
   <source>Copy {several} to {pictures}</source>
   <translation>{several} auf {pictures} kopieren</translation>
  </message>
  <message>
   <source>Copy: {title}</source>
   <translation>Kopieren: {title}</translation>
  </message>
  <message>
   <source>Corner</source>
   <translation>Ecke</translation>
  </message>
  <message>
   <source>Correct first</source>
   <translation>Zuerst korrigieren</translation>
  </message>
  <message>
   <source>Correct the step's button.</source>
   <translation>Berichtigen Sie die Maustaste des Schritts.</translation>
  </message>
  <message>
   <source>Correct the step's key_info.</source>
   <translation>Berichtigen Sie die Tasten des Schritts.</translation>
  </message>
  <message>
   <source>Correct the step.</source>
   <translation>Berichtigen Sie den Schritt.</translation>
  </message>
  <message>
   <source>Correct the task</source>
   <translation>Die Aufgabe berichtigen</translation>
  </message>
  <message>
   <source>Correct these first</source>
   <translation>Diese zuerst korrigieren</translation>
  </message>
  <message>
   <source>Counting screens to learn from</source>
   <translation>Bildschirme zum Lernen werden gezählt</translation>
  </message>
  <message>
   <source>Counting the library</source>
   <translation>Bibliothek wird ausgezählt</translation>
  </message>
  <message>
   <source>Counting …</source>
   <translation>Wird gezählt …</translation>
  </message>
  <message>
   <source>Counting: {done} of {total} demos</source>
   <translation>Zählen: {done} von {total} Demos</translation>
  </message>
  <message>
   <source>Covered</source>
   <translation>Verdeckt</translation>
  </message>
  <message>
   <source>Covered while recording: a secure field, a blocked program or a blocked part of the screen. What was there is not stored.</source>
   <translation>Bei der Aufnahme verdeckt: ein geschütztes Feld, ein gesperrtes Programm oder ein gesperrter Teil des Bildschirms. Was dort war, ist nicht gespeichert.</translation>
  </message>
  <message>
   <source>Crosshair</source>
   <translation>Fadenkreuz</translation>
  </message>
  <message>
   <source>Ctrl</source>
   <translation>Strg</translation>
  </message>
  <message>
   <source>Ctrl and click</source>
   <translation>Strg und Klick</translation>
  </message>
  <message>
   <source>Ctrl while dragging</source>
   <translation>Strg beim Ziehen</translation>
  </message>
  <message>
   <source>Cut off</source>
   <translation>Abgerissen</translation>
  </message>
  <message>
   <source>Cut off{after}; what its last checkpoint holds is safe.</source>
   <translation>Abgerissen{after}; was der letzte Checkpoint enthält, ist sicher.</translation>
  </message>
  <message>
   <source>DESCRIBERS  what they are</source>
   <translation>BESCHREIBER  was sie sind</translation>
  </message>
  <message>
   <source>DETECTORS  where elements are</source>
   <translation>DETEKTOREN  wo Elemente sind</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>Dunkel</translation>
  </message>
  <message>
   <source>Dashed: {first}
Solid: {second}
Both: they see it differently</source>
   <translation>Gestrichelt: {first}
Durchgezogen: {second}
Beides: Sie sehen es verschieden</translation>
  </message>
  <message>
   <source>Dashed: {first}. Solid: {second}. Both: they see it differently.</source>
   <translation>Gestrichelt: {first}. Durchgezogen: {second}. Beides: Sie sehen es verschieden.</translation>
  </message>
  <message>
   <source>Dec</source>
   <translation>Dez.</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <source>Delete the checkpoints</source>
   <translation>Checkpoints löschen</translation>
  </message>
  <message>
   <source>Delete this model from the disk</source>
   <translation>Dieses Modell von der Festplatte löschen</translation>
  </message>
  <message>
   <source>Delete this step</source>
   <translation>Diesen Schritt löschen</translation>
  </message>
  <message>
   <source>Delete this template</source>
   <translation>Diese Vorlage löschen</translation>
  </message>
  <message>
   <source>Delete {several}</source>
   <translation>{several} löschen</translation>
  </message>
  <message>
   <source>Delete {steps} steps</source>
   <translation>{steps} Schritte löschen</translation>
  </message>
  <message>
   <source>Delete {step}: {words}</source>
   <translation>{step} löschen: {words}</translation>
  </message>
  <message>
   <source>Deleted demos stay on this disk until they are erased.</source>
   <translation>Gelöschte Demos bleiben auf dieser Festplatte, bis sie endgültig gelöscht werden.</translation>
  </message>
  <message>
   <source>Deleted the template “{name}”</source>
   <translation>Vorlage „{name}“ gelöscht</translation>
  </message>
  <message>
   <source>Demo</source>
   <translation>Demo</translation>
  </message>
  <message>
   <source>Demo deleted.</source>
   <translation>Demo gelöscht.</translation>
  </message>
  <message>
   <source>Demo erased for good.</source>
   <translation>Demo endgültig gelöscht.</translation>
  </message>
  <message>
   <source>Demo pack</source>
   <translation>Demo-Paket</translation>
  </message>
  <message>
   <source>Demo restored.</source>
   <translation>Demo wiederhergestellt.</translation>
  </message>
  <message>
   <source>Demo {value} of {count}. {text}</source>
   <translation>Demo {value} von {count}. {text}</translation>
  </message>
  <message>
   <source>Demonstrations as the text that CAAP puts into its prompts.</source>
   <translation>Vorführungen als der Text, den CAAP in seine Prompts setzt.</translation>
  </message>
  <message>
   <source>Demos</source>
   <translation>Demos</translation>
  </message>
  <message>
   <source>Describer</source>
   <translation>Beschreiber</translation>
  </message>
  <message>
   <source>Describers</source>
   <translation>Beschreiber</translation>
  </message>
  <message>
   <source>Describing time</source>
   <translation>Beschreibungszeit</translation>
  </message>
  <message>
   <source>Details</source>
   <translation>Einzelheiten</translation>
  </message>
  <message>
   <source>Details of the message</source>
   <translation>Einzelheiten der Meldung</translation>
  </message>
  <message>
   <source>Detections below this are dropped.</source>
   <translation>Was darunter liegt, entfällt.</translation>
  </message>
  <message>
   <source>Detector</source>
   <translation>Detektor</translation>
  </message>
  <message>
   <source>Detectors</source>
   <translation>Detektoren</translation>
  </message>
  <message>
   <source>Dialect</source>
   <translation>Dialekt</translation>
  </message>
  <message>
   <source>Difference</source>
   <translation>Unterschied</translation>
  </message>
  <message>
   <source>Differences</source>
   <translation>Unterschiede</translation>
  </message>
  <message>
   <source>Different types</source>
   <translation>Verschiedene Typen</translation>
  </message>
  <message>
   <source>Digit {digit}</source>
   <translation>Ziffer {digit}</translation>
  </message>
  <message>
   <source>Digit {digit}: {type}</source>
   <translation>Ziffer {digit}: {type}</translation>
  </message>
  <message>
   <source>Direction</source>
   <translation>Richtung</translation>
  </message>
  <message>
   <source>Discard</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <source>Discard this recording</source>
   <translation>Diese Aufnahme verwerfen</translation>
  </message>
  <message>
   <source>Disk</source>
   <translation>Festplatte</translation>
  </message>
  <message>
   <source>Do it again</source>
   <translation>Noch einmal ausführen</translation>
  </message>
  <message>
   <source>Do it again …</source>
   <translation>Noch einmal ausführen …</translation>
  </message>
  <message>
   <source>Do it once for each row of a CSV or JSON Lines file</source>
   <translation>Einmal für jede Zeile einer CSV- oder JSON-Lines-Datei ausführen</translation>
  </message>
  <message>
   <source>Do not do this row</source>
   <translation>Diese Zeile nicht ausführen</translation>
  </message>
  <message>
   <source>Do not learn from {folder}</source>
   <translation>Nicht aus {folder} lernen</translation>
  </message>
  <message>
   <source>Do not offer to go on any more</source>
   <translation>Das Fortsetzen nicht mehr anbieten</translation>
  </message>
  <message>
   <source>Do not record</source>
   <translation>Nicht aufnehmen</translation>
  </message>
  <message>
   <source>Do not start</source>
   <translation>Nicht starten</translation>
  </message>
  <message>
   <source>Do nothing and go back</source>
   <translation>Nichts tun und zurückgehen</translation>
  </message>
  <message>
   <source>Do one step, then pause</source>
   <translation>Einen Schritt ausführen, dann anhalten</translation>
  </message>
  <message>
   <source>Do the rows that are left</source>
   <translation>Die übrigen Zeilen ausführen</translation>
  </message>
  <message>
   <source>Do the selected demo again …</source>
   <translation>Die ausgewählte Demo wiederholen …</translation>
  </message>
  <message>
   <source>Do this demo again on the screen</source>
   <translation>Diese Demo auf dem Bildschirm wiederholen</translation>
  </message>
  <message>
   <source>Do this row again from its first step</source>
   <translation>Diese Zeile vom ersten Schritt an noch einmal ausführen</translation>
  </message>
  <message>
   <source>Document</source>
   <translation>Dokument</translation>
  </message>
  <message>
   <source>Document: {name}. Save it before you stop.</source>
   <translation>Dokument: {name}. Speichern Sie es, bevor Sie anhalten.</translation>
  </message>
  <message>
   <source>Does not</source>
   <translation>Trifft nicht zu</translation>
  </message>
  <message>
   <source>Doing the demo again</source>
   <translation>Die Demo wird wiederholt</translation>
  </message>
  <message>
   <source>Dollars for a million tokens; -1 as for questions.</source>
   <translation>Dollar für eine Million Token; -1 wie bei Anfragen.</translation>
  </message>
  <message>
   <source>Dollars for a million tokens; -1 for the published price, and for nothing on your own machines.</source>
   <translation>Dollar für eine Million Token; -1 für den veröffentlichten Preis und für keinen auf eigenen Rechnern.</translation>
  </message>
  <message>
   <source>Dollars for everything that is asked in one library; nothing is sent that could pass it.</source>
   <translation>Dollar für alles, was in einer Bibliothek angefragt wird; gesendet wird nichts, was das Budget überschreiten könnte.</translation>
  </message>
  <message>
   <source>Done</source>
   <translation>Fertig</translation>
  </message>
  <message>
   <source>Done again on {day}, {width} x {height} pixels.</source>
   <translation>Wiederholt am {day}, {width} x {height} Pixel.</translation>
  </message>
  <message>
   <source>Done again on {day}.</source>
   <translation>Wiederholt am {day}.</translation>
  </message>
  <message>
   <source>Done again: </source>
   <translation>Wiederholt: </translation>
  </message>
  <message>
   <source>Done again: all {total} steps did what they did in the recording.</source>
   <translation>Wiederholt: Alle {total} Schritte haben bewirkt, was sie in der Aufnahme bewirkten.</translation>
  </message>
  <message>
   <source>Done again: all {total} steps were done, and {compared} could be compared and are as recorded.</source>
   <translation>Wiederholt: Alle {total} Schritte sind ausgeführt; {compared} ließen sich vergleichen und sind wie aufgenommen.</translation>
  </message>
  <message>
   <source>Done by another agent</source>
   <translation>Von einem anderen Agenten ausgeführt</translation>
  </message>
  <message>
   <source>Double-click distance</source>
   <translation>Doppelklick-Abstand</translation>
  </message>
  <message>
   <source>Double-click it, or press Enter. The tour goes on inside.</source>
   <translation>Doppelt anklicken oder Eingabe drücken. Die Führung geht darin weiter.</translation>
  </message>
  <message>
   <source>Double-click time</source>
   <translation>Doppelklick-Zeit</translation>
  </message>
  <message>
   <source>Double-click {where}</source>
   <translation>{where} doppelt anklicken</translation>
  </message>
  <message>
   <source>Double-clicked {where}</source>
   <translation>{where} doppelt angeklickt</translation>
  </message>
  <message>
   <source>Doubles</source>
   <translation>Dubletten</translation>
  </message>
  <message>
   <source>Doubt</source>
   <translation>Anzweifeln</translation>
  </message>
  <message>
   <source>Doubt {count} elements</source>
   <translation>{count} Elemente anzweifeln</translation>
  </message>
  <message>
   <source>Doubt {element}</source>
   <translation>{element} anzweifeln</translation>
  </message>
  <message>
   <source>Doubt {name}</source>
   <translation>{name} anzweifeln</translation>
  </message>
  <message>
   <source>Doubt {step}</source>
   <translation>{step} anzweifeln</translation>
  </message>
  <message>
   <source>Doubtful</source>
   <translation>Zweifelhaft</translation>
  </message>
  <message>
   <source>Drag</source>
   <translation>Ziehen</translation>
  </message>
  <message>
   <source>Drag a box, or a handle</source>
   <translation>Rahmen oder Griff ziehen</translation>
  </message>
  <message>
   <source>Drag a step</source>
   <translation>Schritt ziehen</translation>
  </message>
  <message>
   <source>Drag distance</source>
   <translation>Zieh-Abstand</translation>
  </message>
  <message>
   <source>Drag in {where}</source>
   <translation>In {where} ziehen</translation>
  </message>
  <message>
   <source>Drag on empty ground</source>
   <translation>Auf leerer Fläche ziehen</translation>
  </message>
  <message>
   <source>Drag over what is to be captured. Esc leaves everything as it was.</source>
   <translation>Über den Bereich ziehen, der aufgenommen werden soll. Esc lässt alles, wie es war.</translation>
  </message>
  <message>
   <source>Drag to draw a box, click to select one, Tab for the next.</source>
   <translation>Ziehen zeichnet einen Rahmen, ein Klick wählt einen aus, Tab geht zum nächsten.</translation>
  </message>
  <message>
   <source>Drag {where}</source>
   <translation>{where} ziehen</translation>
  </message>
  <message>
   <source>Drag {where} to {end}</source>
   <translation>{where} auf {end} ziehen</translation>
  </message>
  <message>
   <source>Dragged in {where}</source>
   <translation>In {where} gezogen</translation>
  </message>
  <message>
   <source>Dragged {where}</source>
   <translation>{where} gezogen</translation>
  </message>
  <message>
   <source>Dragged {where} to {end}</source>
   <translation>{where} auf {end} gezogen</translation>
  </message>
  <message>
   <source>Drags and clicks draw boxes. Esc ends it.</source>
   <translation>Ziehen und Klicken zeichnen Rahmen. Esc beendet es.</translation>
  </message>
  <message>
   <source>Draw a box</source>
   <translation>Rahmen zeichnen</translation>
  </message>
  <message>
   <source>Draw a box ({kind})</source>
   <translation>Rahmen zeichnen ({kind})</translation>
  </message>
  <message>
   <source>Draw a box ({kind}) with “{text}”, as read</source>
   <translation>Rahmen zeichnen ({kind}) mit „{text}“, wie gelesen</translation>
  </message>
  <message>
   <source>Draw a box ({kind}), as usual {states}</source>
   <translation>Rahmen zeichnen ({kind}), wie üblich {states}</translation>
  </message>
  <message>
   <source>Draw a box ({kind}): “{name}”, by its looks</source>
   <translation>Rahmen zeichnen ({kind}): „{name}“, nach dem Aussehen</translation>
  </message>
  <message>
   <source>Draw a box where it was, or pick another element.</source>
   <translation>Einen Rahmen an der richtigen Stelle zeichnen oder ein anderes Element wählen.</translation>
  </message>
  <message>
   <source>Draw boxes by drags and clicks, also on top of others</source>
   <translation>Rahmen durch Ziehen und Klicken zeichnen, auch auf anderen</translation>
  </message>
  <message>
   <source>Draw boxes, also on top of others</source>
   <translation>Rahmen zeichnen, auch auf anderen</translation>
  </message>
  <message>
   <source>Draw it, or write it like 100,50,800x600.</source>
   <translation>Zeichnen oder schreiben wie 100,50,800x600.</translation>
  </message>
  <message>
   <source>Draw on top of a box</source>
   <translation>Auf einem Rahmen zeichnen</translation>
  </message>
  <message>
   <source>Draw the region on the screen</source>
   <translation>Bereich auf dem Bildschirm zeichnen</translation>
  </message>
  <message>
   <source>Draw the region to capture</source>
   <translation>Aufzunehmenden Bereich zeichnen</translation>
  </message>
  <message>
   <source>Draw {count} elements</source>
   <translation>{count} Elemente zeichnen</translation>
  </message>
  <message>
   <source>Draw {one}</source>
   <translation>{one} zeichnen</translation>
  </message>
  <message>
   <source>Draw …</source>
   <translation>Zeichnen …</translation>
  </message>
  <message>
   <source>Drawn by hand</source>
   <translation>Von Hand gezeichnet</translation>
  </message>
  <message>
   <source>Drawn by hand: boxes that nothing had suggested; copies on other pictures do not count.</source>
   <translation>Von Hand gezeichnet: Rahmen, die nichts vorgeschlagen hatte; Kopien auf anderen Bildern zählen nicht.</translation>
  </message>
  <message>
   <source>Drew a box along the outline. Click again for the next larger one.</source>
   <translation>Rahmen am Umriss gezeichnet. Nochmals klicken nimmt den nächstgrößeren.</translation>
  </message>
  <message>
   <source>Drew a box around the icon. Click again for the next larger one.</source>
   <translation>Rahmen um das Symbol gezeichnet. Nochmals klicken nimmt den nächstgrößeren.</translation>
  </message>
  <message>
   <source>Drew a box around the line of text. Click again for the next larger one.</source>
   <translation>Rahmen um die Textzeile gezeichnet. Nochmals klicken nimmt den nächstgrößeren.</translation>
  </message>
  <message>
   <source>Drew a box around the lines of text. Click again for the next larger one.</source>
   <translation>Rahmen um die Textzeilen gezeichnet. Nochmals klicken nimmt den nächstgrößeren.</translation>
  </message>
  <message>
   <source>Drew a box around the panel. Click again for the next larger one.</source>
   <translation>Rahmen um die Fläche gezeichnet. Nochmals klicken nimmt den nächstgrößeren.</translation>
  </message>
  <message>
   <source>Drew a box around the row. Click again for the next larger one.</source>
   <translation>Rahmen um die Zeile gezeichnet. Nochmals klicken nimmt den nächstgrößeren.</translation>
  </message>
  <message>
   <source>Drew a box around the word. Click again for the next larger one.</source>
   <translation>Rahmen um das Wort gezeichnet. Nochmals klicken nimmt den nächstgrößeren.</translation>
  </message>
  <message>
   <source>Drop them</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <source>Duplicate</source>
   <translation>Duplizieren</translation>
  </message>
  <message>
   <source>Duplicate {several}</source>
   <translation>{several} duplizieren</translation>
  </message>
  <message>
   <source>Edges</source>
   <translation>Kanten</translation>
  </message>
  <message>
   <source>Edges no longer snap.</source>
   <translation>Kanten rasten nicht mehr ein.</translation>
  </message>
  <message>
   <source>Edges snap again.</source>
   <translation>Kanten rasten wieder ein.</translation>
  </message>
  <message>
   <source>Edits</source>
   <translation>Änderungen</translation>
  </message>
  <message>
   <source>Element</source>
   <translation>Element</translation>
  </message>
  <message>
   <source>Elements</source>
   <translation>Elemente</translation>
  </message>
  <message>
   <source>Elements approved</source>
   <translation>Freigegebene Elemente</translation>
  </message>
  <message>
   <source>Elements are still being carried over.</source>
   <translation>Elemente werden noch übernommen.</translation>
  </message>
  <message>
   <source>Elements of this picture that are approved</source>
   <translation>Elemente dieses Bildes, die freigegeben sind</translation>
  </message>
  <message>
   <source>Elements that stand there twice</source>
   <translation>Elemente, die doppelt vorkommen</translation>
  </message>
  <message>
   <source>Elements were looked for on this picture</source>
   <translation>Auf diesem Bild wurde nach Elementen gesucht</translation>
  </message>
  <message>
   <source>Elements: {added} new, {changed} changed, {same} equal.</source>
   <translation>Elemente: {added} neu, {changed} geändert, {same} gleich.</translation>
  </message>
  <message>
   <source>Elements: {added} would be new, {changed} changed; {same} are equal.</source>
   <translation>Elemente: {added} kämen neu hinzu, {changed} würden geändert; {same} sind gleich.</translation>
  </message>
  <message>
   <source>Elements: {mine} of yours, {theirs} of theirs; pictures: {pictures}.</source>
   <translation>Elemente: {mine} von dir, {theirs} von der anderen Person; Bilder: {pictures}.</translation>
  </message>
  <message>
   <source>Empty it, or replay with --unchecked-keys, which types all the same.</source>
   <translation>Leeren Sie es, oder spielen Sie mit --unchecked-keys ab; damit wird trotzdem getippt.</translation>
  </message>
  <message>
   <source>Empty these lists in the settings, under Privacy, and block regions instead.</source>
   <translation>Leeren Sie diese Listen in den Einstellungen unter Privatsphäre und sperren Sie stattdessen Bereiche.</translation>
  </message>
  <message>
   <source>Enable it (Option "RECORD" in the server's configuration) and start the session again.</source>
   <translation>Schalten Sie sie ein (Option "RECORD" in der Konfiguration des Servers) und starten Sie die Sitzung neu.</translation>
  </message>
  <message>
   <source>End the recording; everything is saved</source>
   <translation>Die Aufnahme beenden; alles wird gespeichert</translation>
  </message>
  <message>
   <source>Ended at step {step} of {total}: {why}</source>
   <translation>Bei Schritt {step} von {total} beendet: {why}</translation>
  </message>
  <message>
   <source>Ends on</source>
   <translation>Endet auf</translation>
  </message>
  <message>
   <source>English, German, or as the system; from the next start on.</source>
   <translation>Englisch, Deutsch oder wie im System; gilt ab dem nächsten Start.</translation>
  </message>
  <message>
   <source>Enter ends it</source>
   <translation>Endet mit Eingabetaste</translation>
  </message>
  <message>
   <source>Enter keeps it, Esc leaves it; it becomes no step.</source>
   <translation>Eingabe speichert, Esc verwirft; es wird kein Schritt.</translation>
  </message>
  <message>
   <source>Enter takes theirs, Shift+Enter keeps mine</source>
   <translation>Eingabe übernimmt die andere Meinung, Umschalt+Eingabe behält die eigene</translation>
  </message>
  <message>
   <source>Enter was pressed between the texts</source>
   <translation>zwischen den Texten wurde die Eingabetaste gedrückt</translation>
  </message>
  <message>
   <source>Erase for good</source>
   <translation>Endgültig löschen</translation>
  </message>
  <message>
   <source>Erase for good …</source>
   <translation>Endgültig löschen …</translation>
  </message>
  <message>
   <source>Erase “{value}” for good?</source>
   <translation>„{value}“ endgültig löschen?</translation>
  </message>
  <message>
   <source>Even if nobody says that the task was done</source>
   <translation>Auch wenn niemand sagt, dass die Aufgabe erledigt wurde</translation>
  </message>
  <message>
   <source>Every box fits already.</source>
   <translation>Jeder Rahmen passt schon.</translation>
  </message>
  <message>
   <source>Every demo of the library</source>
   <translation>Jede Demo der Bibliothek</translation>
  </message>
  <message>
   <source>Every edit, newest first</source>
   <translation>Jede Änderung, die neueste zuerst</translation>
  </message>
  <message>
   <source>Every element that is shown is reviewed.</source>
   <translation>Jedes gezeigte Element ist durchgesehen.</translation>
  </message>
  <message>
   <source>Every key of the editor</source>
   <translation>Alle Tasten des Editors</translation>
  </message>
  <message>
   <source>Every one of these screens had been searched before.</source>
   <translation>Alle diese Bildschirme waren schon durchsucht.</translation>
  </message>
  <message>
   <source>Every picture had been searched before.</source>
   <translation>Alle Bilder waren schon durchsucht.</translation>
  </message>
  <message>
   <source>Every picture of this demo, as a film</source>
   <translation>Alle Bilder dieser Demo als Film</translation>
  </message>
  <message>
   <source>Every picture of this demo. Drag, use the wheel or the arrow keys to walk through it.</source>
   <translation>Alle Bilder dieser Demo. Ziehen, Mausrad oder Pfeiltasten führen hindurch.</translation>
  </message>
  <message>
   <source>Every program needs this key. Hold Ctrl, Alt or Meta with it.</source>
   <translation>Jedes Programm braucht diese Taste. Strg, Alt oder Meta dazu halten.</translation>
  </message>
  <message>
   <source>Every step had a rationale.</source>
   <translation>Jeder Schritt hatte eine Begründung.</translation>
  </message>
  <message>
   <source>Every step was performed, and the document changed; whether that is the task, nobody has judged.</source>
   <translation>Jeder Schritt wurde ausgeführt, und das Dokument hat sich geändert; ob das die Aufgabe ist, hat niemand beurteilt.</translation>
  </message>
  <message>
   <source>Every step was performed, and the document is as it was; whether that is the task, nobody has judged.</source>
   <translation>Jeder Schritt wurde ausgeführt, und das Dokument ist unverändert; ob das die Aufgabe ist, hat niemand beurteilt.</translation>
  </message>
  <message>
   <source>Every step was performed; whether that is the task, nobody has judged.</source>
   <translation>Jeder Schritt wurde ausgeführt; ob das die Aufgabe ist, hat niemand beurteilt.</translation>
  </message>
  <message>
   <source>Everything</source>
   <translation>Alles</translation>
  </message>
  <message>
   <source>Everything from step {source_step} is here already</source>
   <translation>Alles aus Schritt {source_step} ist schon hier</translation>
  </message>
  <message>
   <source>Everything in the list is reviewed.</source>
   <translation>Alles in der Liste ist durchgesehen.</translation>
  </message>
  <message>
   <source>Everything recorded up to then is saved. Open it again to go on.</source>
   <translation>Alles bis dahin Aufgenommene ist gespeichert. Öffnen Sie sie wieder, um weiterzumachen.</translation>
  </message>
  <message>
   <source>Everything up to now is kept.</source>
   <translation>Alles bis jetzt ist gespeichert.</translation>
  </message>
  <message>
   <source>Everything you type is held back as a secret.</source>
   <translation>Alles, was Sie tippen, wird als Geheimnis zurückgehalten.</translation>
  </message>
  <message>
   <source>Everything you type is held back as a secret. Steps say that something was typed, and not what.</source>
   <translation>Alles, was Sie tippen, wird als Geheimnis zurückgehalten. Die Schritte sagen, dass etwas getippt wurde, und nicht was.</translation>
  </message>
  <message>
   <source>Examples</source>
   <translation>Beispiele</translation>
  </message>
  <message>
   <source>Examples then show their screens in full; that takes many tokens</source>
   <translation>Beispiele zeigen dann ihre ganzen Bildschirme; das kostet viele Token</translation>
  </message>
  <message>
   <source>Examples without reasons</source>
   <translation>Beispiele ohne Begründungen</translation>
  </message>
  <message>
   <source>Examples: {demos}.</source>
   <translation>Beispiele: {demos}.</translation>
  </message>
  <message>
   <source>Exchange</source>
   <translation>Austausch</translation>
  </message>
  <message>
   <source>Executed</source>
   <translation>Ausgeführt</translation>
  </message>
  <message>
   <source>Expected</source>
   <translation>Erwartet</translation>
  </message>
  <message>
   <source>Explain every step that has no rationale</source>
   <translation>Jeden Schritt ohne Begründung erklären</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>Export</translation>
  </message>
  <message>
   <source>Export annotations</source>
   <translation>Annotationen exportieren</translation>
  </message>
  <message>
   <source>Export writes a pack, or another program's format. {keys} shows every key, and More shows this tour again.</source>
   <translation>Export schreibt ein Paket oder das Format eines anderen Programms. {keys} zeigt alle Tasten, und Mehr zeigt diese Tour noch einmal.</translation>
  </message>
  <message>
   <source>Export …</source>
   <translation>Exportieren …</translation>
  </message>
  <message>
   <source>Exporting</source>
   <translation>Wird exportiert</translation>
  </message>
  <message>
   <source>F1 of boxes</source>
   <translation>F1 der Rahmen</translation>
  </message>
  <message>
   <source>F2 changes keys. Arrows scroll, any other key closes this.</source>
   <translation>F2 ändert Tasten. Pfeile blättern, jede andere Taste schließt.</translation>
  </message>
  <message>
   <source>Failed</source>
   <translation>Fehlgeschlagen</translation>
  </message>
  <message>
   <source>Failed{after}.</source>
   <translation>Fehlgeschlagen{after}.</translation>
  </message>
  <message>
   <source>Faint</source>
   <translation>Auch schwache</translation>
  </message>
  <message>
   <source>Faint edges count too, as dark themes have them</source>
   <translation>Auch schwache Kanten zählen, wie dunkle Oberflächen sie haben</translation>
  </message>
  <message>
   <source>Feasible</source>
   <translation>Machbar</translation>
  </message>
  <message>
   <source>Feb</source>
   <translation>Feb.</translation>
  </message>
  <message>
   <source>Fields</source>
   <translation>Felder</translation>
  </message>
  <message>
   <source>Figure</source>
   <translation>Kennzahl</translation>
  </message>
  <message>
   <source>Figures on held-out screens</source>
   <translation>Kennzahlen auf zurückgehaltenen Bildschirmen</translation>
  </message>
  <message>
   <source>Figures side by side</source>
   <translation>Kennzahlen nebeneinander</translation>
  </message>
  <message>
   <source>File or folder</source>
   <translation>Datei oder Ordner</translation>
  </message>
  <message>
   <source>Film</source>
   <translation>Film</translation>
  </message>
  <message>
   <source>Film size</source>
   <translation>Filmgröße</translation>
  </message>
  <message>
   <source>Filtered as an instantiated task</source>
   <translation>Als konkrete Aufgabe gefiltert</translation>
  </message>
  <message>
   <source>Find a program</source>
   <translation>Programm suchen</translation>
  </message>
  <message>
   <source>Find again</source>
   <translation>Erneut suchen</translation>
  </message>
  <message>
   <source>Find and review</source>
   <translation>Finden und durchsehen</translation>
  </message>
  <message>
   <source>Find doubles</source>
   <translation>Dubletten finden</translation>
  </message>
  <message>
   <source>Find elements</source>
   <translation>Elemente finden</translation>
  </message>
  <message>
   <source>Find elements on some steps</source>
   <translation>Elemente auf einigen Schritten finden</translation>
  </message>
  <message>
   <source>Find elements with the result from now on</source>
   <translation>Elemente ab jetzt mit dem Ergebnis finden</translation>
  </message>
  <message>
   <source>Find elements with this model from now on</source>
   <translation>Elemente ab jetzt mit diesem Modell finden</translation>
  </message>
  <message>
   <source>Find elements without such a model from now on</source>
   <translation>Elemente ab jetzt ohne ein solches Modell finden</translation>
  </message>
  <message>
   <source>Find in the history</source>
   <translation>Im Verlauf suchen</translation>
  </message>
  <message>
   <source>Find lines of text with OCR.</source>
   <translation>Textzeilen mit OCR finden.</translation>
  </message>
  <message>
   <source>Find the UI elements on every picture of this demo</source>
   <translation>Die Bedienelemente auf jedem Bild dieser Demo finden</translation>
  </message>
  <message>
   <source>Finding elements</source>
   <translation>Elemente werden gesucht</translation>
  </message>
  <message>
   <source>Finds where elements are</source>
   <translation>Findet, wo Elemente sind</translation>
  </message>
  <message>
   <source>Finish the task</source>
   <translation>Aufgabe abschließen</translation>
  </message>
  <message>
   <source>Finished</source>
   <translation>Erledigt</translation>
  </message>
  <message>
   <source>Finished the task</source>
   <translation>Aufgabe abgeschlossen</translation>
  </message>
  <message>
   <source>Finished{after}.</source>
   <translation>Fertig{after}.</translation>
  </message>
  <message>
   <source>First</source>
   <translation>Erstes</translation>
  </message>
  <message>
   <source>First choice</source>
   <translation>Erste Wahl</translation>
  </message>
  <message>
   <source>First letters of the type</source>
   <translation>Anfang des Typs</translation>
  </message>
  <message>
   <source>First model</source>
   <translation>Erstes Modell</translation>
  </message>
  <message>
   <source>First step</source>
   <translation>Erster Schritt</translation>
  </message>
  <message>
   <source>Fit every box that is shown to the edges that can be seen</source>
   <translation>Jeden gezeigten Rahmen an die sichtbaren Kanten anpassen</translation>
  </message>
  <message>
   <source>Fit the boxes of several steps to what can be seen</source>
   <translation>Die Rahmen mehrerer Schritte an das Sichtbare anpassen</translation>
  </message>
  <message>
   <source>Fit to what is inside, from larger to smaller</source>
   <translation>An das Innere anpassen, von groß nach klein</translation>
  </message>
  <message>
   <source>Fit {count} elements</source>
   <translation>{count} Elemente einpassen</translation>
  </message>
  <message>
   <source>Fit {one}</source>
   <translation>{one} einpassen</translation>
  </message>
  <message>
   <source>Fitted to the icon.</source>
   <translation>An das Symbol angepasst.</translation>
  </message>
  <message>
   <source>Fitted to the line of text.</source>
   <translation>An die Textzeile angepasst.</translation>
  </message>
  <message>
   <source>Fitted to the lines of text.</source>
   <translation>An die Textzeilen angepasst.</translation>
  </message>
  <message>
   <source>Fitted to the outline around.</source>
   <translation>An den Umriss darum angepasst.</translation>
  </message>
  <message>
   <source>Fitted to the panel around.</source>
   <translation>An die Fläche darum angepasst.</translation>
  </message>
  <message>
   <source>Fitted to the row.</source>
   <translation>An die Zeile angepasst.</translation>
  </message>
  <message>
   <source>Fitted to the word.</source>
   <translation>An das Wort angepasst.</translation>
  </message>
  <message>
   <source>Fixed</source>
   <translation>Korrigiert</translation>
  </message>
  <message>
   <source>Folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>For</source>
   <translation>Für</translation>
  </message>
  <message>
   <source>For each row of a table …</source>
   <translation>Für jede Zeile einer Tabelle …</translation>
  </message>
  <message>
   <source>For every difference that is listed, in one edit</source>
   <translation>Für alle aufgeführten Unterschiede, in einem Schritt</translation>
  </message>
  <message>
   <source>For instance last_name</source>
   <translation>Zum Beispiel nachname</translation>
  </message>
  <message>
   <source>For labelme, X-AnyLabeling, COCO, YOLO, CVAT, Label Studio, OmniParser</source>
   <translation>Für labelme, X-AnyLabeling, COCO, YOLO, CVAT, Label Studio, OmniParser</translation>
  </message>
  <message>
   <source>For measuring: an agent must not read the answer off an example</source>
   <translation>Zum Messen: Ein Agent darf die Antwort nicht aus einem Beispiel ablesen</translation>
  </message>
  <message>
   <source>For the first row it types and presses:</source>
   <translation>Für die erste Zeile tippt und drückt sie:</translation>
  </message>
  <message>
   <source>Forget</source>
   <translation>Vergessen</translation>
  </message>
  <message>
   <source>Forget it</source>
   <translation>Vergessen</translation>
  </message>
  <message>
   <source>Forget the last {seconds:g} s</source>
   <translation>Die letzten {seconds:g} s vergessen</translation>
  </message>
  <message>
   <source>Forget these versions; asking again costs nothing</source>
   <translation>Diese Fassungen vergessen; erneutes Fragen kostet nichts</translation>
  </message>
  <message>
   <source>Forgetting the last {seconds:g} s …</source>
   <translation>Die letzten {seconds:g} s werden vergessen …</translation>
  </message>
  <message>
   <source>Forgot {count_steps}</source>
   <translation>{count_steps} vergessen</translation>
  </message>
  <message>
   <source>Format</source>
   <translation>Format</translation>
  </message>
  <message>
   <source>Format of the export</source>
   <translation>Format des Exports</translation>
  </message>
  <message>
   <source>Format of the import</source>
   <translation>Format des Imports</translation>
  </message>
  <message>
   <source>Format: by its content</source>
   <translation>Format: am Inhalt erkannt</translation>
  </message>
  <message>
   <source>Found 1 thing that may be private</source>
   <translation>1 möglicherweise private Angabe gefunden</translation>
  </message>
  <message>
   <source>Found by</source>
   <translation>Gefunden von</translation>
  </message>
  <message>
   <source>Found where it was.</source>
   <translation>An der alten Stelle gefunden.</translation>
  </message>
  <message>
   <source>Found {dx:+d} px across and {dy:+d} px down from where it was.</source>
   <translation>{dx:+d} px waagerecht und {dy:+d} px senkrecht von der alten Stelle entfernt gefunden.</translation>
  </message>
  <message>
   <source>Found {elements} elements on 1 picture; {bound} steps have a target.</source>
   <translation>{elements} Elemente auf 1 Bild gefunden; {bound} Schritte haben ein Ziel.</translation>
  </message>
  <message>
   <source>Found {elements} elements on {frames} pictures; {bound} steps have a target.</source>
   <translation>{elements} Elemente auf {frames} Bildern gefunden; {bound} Schritte haben ein Ziel.</translation>
  </message>
  <message>
   <source>Found {number} things that may be private</source>
   <translation>{number} möglicherweise private Angaben gefunden</translation>
  </message>
  <message>
   <source>Frame interval</source>
   <translation>Bildabstand</translation>
  </message>
  <message>
   <source>From</source>
   <translation>Woher</translation>
  </message>
  <message>
   <source>From step to step</source>
   <translation>Von Schritt zu Schritt</translation>
  </message>
  <message>
   <source>From the hot-key to the shot, so that a menu can be opened.</source>
   <translation>Vom Tastenkürzel bis zum Bild, damit sich ein Menü öffnen lässt.</translation>
  </message>
  <message>
   <source>From this step on</source>
   <translation>Ab diesem Schritt</translation>
  </message>
  <message>
   <source>From those programs, as one edit</source>
   <translation>Aus diesen Programmen, in einem Schritt</translation>
  </message>
  <message>
   <source>Further</source>
   <translation>Weitere</translation>
  </message>
  <message>
   <source>Further jobs for this demo</source>
   <translation>Weitere Aufträge für diese Demo</translation>
  </message>
  <message>
   <source>Further key</source>
   <translation>Weitere Taste</translation>
  </message>
  <message>
   <source>Gave up</source>
   <translation>Aufgegeben</translation>
  </message>
  <message>
   <source>Gemini, examples with computer use</source>
   <translation>Gemini, Beispiele mit Computer Use</translation>
  </message>
  <message>
   <source>Getting ready …</source>
   <translation>Wird vorbereitet …</translation>
  </message>
  <message>
   <source>Give both the same value, or record it with values that differ.</source>
   <translation>Geben Sie beiden denselben Wert, oder nehmen Sie mit verschiedenen Werten auf.</translation>
  </message>
  <message>
   <source>Give everything its usual keys again</source>
   <translation>Allem wieder die üblichen Tasten geben</translation>
  </message>
  <message>
   <source>Give it a value, by which it can be found.</source>
   <translation>Geben Sie ihm einen Wert, an dem es zu finden ist.</translation>
  </message>
  <message>
   <source>Give it away</source>
   <translation>Weitergeben</translation>
  </message>
  <message>
   <source>Give it its usual keys again</source>
   <translation>Wieder die üblichen Tasten geben</translation>
  </message>
  <message>
   <source>Give it, for instance with --set {name}=…</source>
   <translation>Schreiben Sie ihn in sein Feld ({name})</translation>
  </message>
  <message>
   <source>Give the name of its command, or its name in the menu of programs.</source>
   <translation>Nennen Sie seinen Befehl oder seinen Namen im Programmmenü.</translation>
  </message>
  <message>
   <source>Give up</source>
   <translation>Aufgeben</translation>
  </message>
  <message>
   <source>Go here</source>
   <translation>Hierher gehen</translation>
  </message>
  <message>
   <source>Go on</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <source>Go on after a row that fails</source>
   <translation>Nach einer misslungenen Zeile weitermachen</translation>
  </message>
  <message>
   <source>Go on from the last checkpoint</source>
   <translation>Ab dem letzten Checkpoint weitermachen</translation>
  </message>
  <message>
   <source>Go on with the same command there.</source>
   <translation>Dort mit demselben Befehl weitermachen.</translation>
  </message>
  <message>
   <source>Go there</source>
   <translation>Dorthin</translation>
  </message>
  <message>
   <source>Go to the least sure element</source>
   <translation>Zum unsichersten Element gehen</translation>
  </message>
  <message>
   <source>Going through the history</source>
   <translation>Durch den Verlauf gehen</translation>
  </message>
  <message>
   <source>Grounding rows: an element in words, and where it is</source>
   <translation>Grounding-Zeilen: ein Element in Worten, und wo es ist</translation>
  </message>
  <message>
   <source>Groups</source>
   <translation>Gruppen</translation>
  </message>
  <message>
   <source>Happened</source>
   <translation>Geschehen</translation>
  </message>
  <message>
   <source>Height in pixels</source>
   <translation>Höhe in Pixeln</translation>
  </message>
  <message>
   <source>Height, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10</source>
   <translation>Höhe, Pixel des Bildschirmfotos; die Pfeiltasten ändern sie um 1, mit Umschalt um 10</translation>
  </message>
  <message>
   <source>Held</source>
   <translation>Gehalten</translation>
  </message>
  <message>
   <source>Here only</source>
   <translation>Nur hier</translation>
  </message>
  <message>
   <source>Hide as a dot</source>
   <translation>Als Punkt verbergen</translation>
  </message>
  <message>
   <source>Hide suggestions whose finder was less sure</source>
   <translation>Vorschläge ausblenden, deren Finder weniger sicher war</translation>
  </message>
  <message>
   <source>Hide the steps</source>
   <translation>Schritte ausblenden</translation>
  </message>
  <message>
   <source>Hide typed secrets</source>
   <translation>Getippte Geheimnisse verbergen</translation>
  </message>
  <message>
   <source>High contrast</source>
   <translation>Starker Kontrast</translation>
  </message>
  <message>
   <source>Hindsight reads better, and must not be used for training</source>
   <translation>Mit Rückschau liest es sich besser, fürs Training ist es nicht erlaubt</translation>
  </message>
  <message>
   <source>History</source>
   <translation>Verlauf</translation>
  </message>
  <message>
   <source>Hold back text</source>
   <translation>Text zurückhalten</translation>
  </message>
  <message>
   <source>Hold back typed text</source>
   <translation>Getippten Text zurückhalten</translation>
  </message>
  <message>
   <source>Hold back what I type</source>
   <translation>Zurückhalten, was ich tippe</translation>
  </message>
  <message>
   <source>Hold back what is typed as a secret, or store it again.</source>
   <translation>Getippten Text als Geheimnis zurückhalten oder wieder speichern.</translation>
  </message>
  <message>
   <source>Hold every rationale of this demo against its screens</source>
   <translation>Jede Begründung dieser Demo mit ihren Bildschirmen vergleichen</translation>
  </message>
  <message>
   <source>Hold text back where fields are unknown</source>
   <translation>Text zurückhalten, wo Felder unbekannt sind</translation>
  </message>
  <message>
   <source>Holds</source>
   <translation>Trifft zu</translation>
  </message>
  <message>
   <source>Hot-keys</source>
   <translation>Tastenkürzel</translation>
  </message>
  <message>
   <source>Hover time</source>
   <translation>Ruhezeit des Zeigers</translation>
  </message>
  <message>
   <source>How a replay moves.</source>
   <translation>Wie eine Wiedergabe sich bewegt.</translation>
  </message>
  <message>
   <source>How actions are told apart, and how often the screen is looked at.</source>
   <translation>Wie Aktionen unterschieden werden und wie oft der Bildschirm betrachtet wird.</translation>
  </message>
  <message>
   <source>How elements are found on pictures.</source>
   <translation>Wie Elemente auf Bildern gefunden werden.</translation>
  </message>
  <message>
   <source>How far back a panic pause forgets, s.</source>
   <translation>Wie weit zurück eine Notpause vergisst, s.</translation>
  </message>
  <message>
   <source>How far back the hot-key for forgetting reaches, s.</source>
   <translation>Wie weit zurück das Tastenkürzel zum Vergessen reicht, s.</translation>
  </message>
  <message>
   <source>How far both agree</source>
   <translation>Wie weit beide übereinstimmen</translation>
  </message>
  <message>
   <source>How far the review is</source>
   <translation>Wie weit die Durchsicht ist</translation>
  </message>
  <message>
   <source>How far to look back</source>
   <translation>Wie weit zurückgeblickt wird</translation>
  </message>
  <message>
   <source>How fast the pointer travels, px/s.</source>
   <translation>Wie schnell sich der Zeiger bewegt, px/s.</translation>
  </message>
  <message>
   <source>How it ended</source>
   <translation>Wie es ausging</translation>
  </message>
  <message>
   <source>How it was trained</source>
   <translation>Wie trainiert wurde</translation>
  </message>
  <message>
   <source>How many elements</source>
   <translation>Wie viele Elemente</translation>
  </message>
  <message>
   <source>How many of what, how far the review is, and how long</source>
   <translation>Wie viel wovon, wie weit die Durchsicht ist und wie lange sie dauert</translation>
  </message>
  <message>
   <source>How many steps</source>
   <translation>Wie viele Schritte</translation>
  </message>
  <message>
   <source>How many steps are approved</source>
   <translation>Wie viele Schritte freigegeben sind</translation>
  </message>
  <message>
   <source>How sure its finder is, 0 to 1</source>
   <translation>Wie sicher sein Finder ist, 0 bis 1</translation>
  </message>
  <message>
   <source>How sure must a suggestion be?</source>
   <translation>Wie sicher muss ein Vorschlag sein?</translation>
  </message>
  <message>
   <source>How the windows look.</source>
   <translation>Wie die Fenster aussehen.</translation>
  </message>
  <message>
   <source>Hugging Face data set</source>
   <translation>Hugging-Face-Datensatz</translation>
  </message>
  <message>
   <source>I looked: this row is done</source>
   <translation>Ich habe nachgesehen: Diese Zeile ist erledigt</translation>
  </message>
  <message>
   <source>ICONS  what they mean</source>
   <translation>SYMBOLE  was sie bedeuten</translation>
  </message>
  <message>
   <source>Icons</source>
   <translation>Symbole</translation>
  </message>
  <message>
   <source>Idle frame interval</source>
   <translation>Bildabstand in Ruhe</translation>
  </message>
  <message>
   <source>If this lasts, stop the recording; everything up to now is kept.</source>
   <translation>Wenn das anhält, beenden Sie die Aufnahme; alles bis jetzt bleibt erhalten.</translation>
  </message>
  <message>
   <source>Import</source>
   <translation>Importieren</translation>
  </message>
  <message>
   <source>Import annotations</source>
   <translation>Annotationen importieren</translation>
  </message>
  <message>
   <source>Import from {program}: {added} new, {changed} changed</source>
   <translation>Import aus {program}: {added} neu, {changed} geändert</translation>
  </message>
  <message>
   <source>Import it as a demo of its own.</source>
   <translation>Als eigene Demo importieren.</translation>
  </message>
  <message>
   <source>Import tasks</source>
   <translation>Aufgaben importieren</translation>
  </message>
  <message>
   <source>Import tasks …</source>
   <translation>Aufgaben importieren …</translation>
  </message>
  <message>
   <source>Import what is to be done: manuals and how-to pages, lists of search queries, tables, tasks of UFO.</source>
   <translation>Importieren Sie, was zu tun ist: Handbücher und Anleitungen, Listen von Suchanfragen, Tabellen, Aufgaben von UFO.</translation>
  </message>
  <message>
   <source>Import …</source>
   <translation>Importieren …</translation>
  </message>
  <message>
   <source>Importing</source>
   <translation>Wird importiert</translation>
  </message>
  <message>
   <source>Importing tasks</source>
   <translation>Aufgaben werden importiert</translation>
  </message>
  <message>
   <source>In a desktop of its own</source>
   <translation>In einer eigenen Arbeitsfläche</translation>
  </message>
  <message>
   <source>In a process of its own; the app may be closed</source>
   <translation>In einem eigenen Prozess; die App darf geschlossen werden</translation>
  </message>
  <message>
   <source>In every text and picture (R)</source>
   <translation>In jedem Text und jedem Bild (R)</translation>
  </message>
  <message>
   <source>In pixels of the whole desktop, for instance 100,50,800x600</source>
   <translation>In Pixeln des ganzen Desktops, zum Beispiel 100,50,800x600</translation>
  </message>
  <message>
   <source>In points of the whole desktop, for instance 100,50,800x600</source>
   <translation>In Punkten des ganzen Desktops, zum Beispiel 100,50,800x600</translation>
  </message>
  <message>
   <source>In the last hour</source>
   <translation>In der letzten Stunde</translation>
  </message>
  <message>
   <source>In this Wayland session nothing else can be recorded</source>
   <translation>In dieser Wayland-Sitzung lässt sich nichts anderes aufnehmen</translation>
  </message>
  <message>
   <source>In use</source>
   <translation>In Gebrauch</translation>
  </message>
  <message>
   <source>In whose words the prompt is written</source>
   <translation>In wessen Worten der Prompt geschrieben ist</translation>
  </message>
  <message>
   <source>Input</source>
   <translation>Eingabe</translation>
  </message>
  <message>
   <source>Input Monitoring allowed</source>
   <translation>Eingabeüberwachung erlaubt</translation>
  </message>
  <message>
   <source>Input is watched; this system does not let the test move the pointer to prove it.</source>
   <translation>Eingaben werden beobachtet; dieses System lässt die Probe den Zeiger nicht bewegen, um es zu beweisen.</translation>
  </message>
  <message>
   <source>Insert step {value}: {describe_action}</source>
   <translation>Schritt {value} einfügen: {describe_action}</translation>
  </message>
  <message>
   <source>Insert what is shown as a step</source>
   <translation>Gezeigtes als Schritt einfügen</translation>
  </message>
  <message>
   <source>Install Xephyr (Debian and Ubuntu: xserver-xephyr; Fedora: xorg-x11-server-Xephyr), or Xwayland 23.1 or newer.</source>
   <translation>Installieren Sie Xephyr (Debian und Ubuntu: xserver-xephyr; Fedora: xorg-x11-server-Xephyr) oder Xwayland ab 23.1.</translation>
  </message>
  <message>
   <source>Install at-spi2-core and log in again; until then pause before you type one.</source>
   <translation>Installieren Sie at-spi2-core und melden Sie sich neu an; bis dahin machen Sie Pause, bevor Sie eines tippen.</translation>
  </message>
  <message>
   <source>Install it, on Debian and Ubuntu with: apt-get install libxcb-cursor0</source>
   <translation>Installieren, unter Debian und Ubuntu mit: apt-get install libxcb-cursor0</translation>
  </message>
  <message>
   <source>Install it, or change it in programs.toml.</source>
   <translation>Installieren Sie es, oder ändern Sie es in programs.toml.</translation>
  </message>
  <message>
   <source>Install it, or start it yourself and replay from the next step.</source>
   <translation>Installieren Sie es, oder starten Sie es selbst und wiederholen Sie ab dem nächsten Schritt.</translation>
  </message>
  <message>
   <source>Install it; on Debian and Ubuntu its package is libxkbcommon-x11-0.</source>
   <translation>Installieren Sie es; unter Debian und Ubuntu heißt das Paket libxkbcommon-x11-0.</translation>
  </message>
  <message>
   <source>Install openbox, which is small and changes nothing in your session.</source>
   <translation>Installieren Sie openbox; es ist klein und ändert nichts an Ihrer Sitzung.</translation>
  </message>
  <message>
   <source>Install the package comtypes and start demopack again; until then pause before you type one.</source>
   <translation>Installieren Sie das Paket comtypes und starten Sie demopack neu; machen Sie bis dahin Pause, bevor Sie eines eingeben.</translation>
  </message>
  <message>
   <source>Install x11-xkb-utils.</source>
   <translation>Installieren Sie x11-xkb-utils.</translation>
  </message>
  <message>
   <source>Install xterm.</source>
   <translation>Installieren Sie xterm.</translation>
  </message>
  <message>
   <source>Instantiated</source>
   <translation>Konkret gemacht</translation>
  </message>
  <message>
   <source>Is the target</source>
   <translation>Ist das Ziel</translation>
  </message>
  <message>
   <source>It already belongs to {theirs}. One key can mean one thing.</source>
   <translation>Es gehört schon zu {theirs}. Eine Taste kann nur eine Bedeutung haben.</translation>
  </message>
  <message>
   <source>It asks for an explanation (“{words}”), and has no steps.</source>
   <translation>Sie fragt nach einer Erklärung („{words}“) und hat keine Schritte.</translation>
  </message>
  <message>
   <source>It begins when you press Go on in the small bar, and not after three seconds</source>
   <translation>Die Wiederholung beginnt, wenn Sie in der kleinen Leiste auf „Weiter“ drücken, und nicht nach drei Sekunden</translation>
  </message>
  <message>
   <source>It changed something else than in the recording.</source>
   <translation>Er hat etwas anderes verändert als in der Aufnahme.</translation>
  </message>
  <message>
   <source>It could not be done.</source>
   <translation>Er ließ sich nicht ausführen.</translation>
  </message>
  <message>
   <source>It gave none: {trouble}</source>
   <translation>Es lieferte keine: {trouble}</translation>
  </message>
  <message>
   <source>It has a place for all that is known.</source>
   <translation>Alles, was bekannt ist, hat darin Platz.</translation>
  </message>
  <message>
   <source>It has no plan.</source>
   <translation>Sie hat keinen Plan.</translation>
  </message>
  <message>
   <source>It has such a value</source>
   <translation>Es hat einen solchen Wert</translation>
  </message>
  <message>
   <source>It is also in step {value}.</source>
   <translation>Es ist auch in Schritt {value}.</translation>
  </message>
  <message>
   <source>It is also in steps {listed}.</source>
   <translation>Es ist auch in den Schritten {listed}.</translation>
  </message>
  <message>
   <source>It is at the end of the queue.</source>
   <translation>Sie steht am Ende der Warteschlange.</translation>
  </message>
  <message>
   <source>It is done</source>
   <translation>Ist erledigt</translation>
  </message>
  <message>
   <source>It is for {platform}.</source>
   <translation>Sie ist für {platform}.</translation>
  </message>
  <message>
   <source>It is gone already.</source>
   <translation>Es ist nicht mehr da.</translation>
  </message>
  <message>
   <source>It is right; go on</source>
   <translation>Es ist richtig; weiter</translation>
  </message>
  <message>
   <source>It is the name of a subject, and has no steps.</source>
   <translation>Sie nennt nur ein Thema und hat keine Schritte.</translation>
  </message>
  <message>
   <source>It is {likeness} like {task}, “{words}”.</source>
   <translation>Sie gleicht {task} zu {likeness}: „{words}“.</translation>
  </message>
  <message>
   <source>It looked as recorded only when the next step began.</source>
   <translation>Es sah erst wie aufgenommen aus, als der nächste Schritt begann.</translation>
  </message>
  <message>
   <source>It may have been done to what the demo was recorded with. See to that, and correct the step's target in the editor.</source>
   <translation>Vielleicht wurde er an dem ausgeführt, womit die Demo aufgenommen wurde. Sehen Sie dort nach, und berichtigen Sie das Ziel des Schritts im Editor.</translation>
  </message>
  <message>
   <source>It reads as “{language}”, not as “{wanted}”.</source>
   <translation>Sie liest sich als „{language}“, nicht als „{wanted}“.</translation>
  </message>
  <message>
   <source>It speaks of “{words}”.</source>
   <translation>Sie spricht von „{words}“.</translation>
  </message>
  <message>
   <source>It starts these programs; only those with a tick are allowed:</source>
   <translation>Die Demo startet diese Programme; nur die mit Haken sind erlaubt:</translation>
  </message>
  <message>
   <source>It stays at {point}.</source>
   <translation>Er bleibt bei {point}.</translation>
  </message>
  <message>
   <source>It types and presses:</source>
   <translation>Die Demo tippt und drückt:</translation>
  </message>
  <message>
   <source>It types nothing and presses no keys.</source>
   <translation>Die Demo tippt nichts und drückt keine Tasten.</translation>
  </message>
  <message>
   <source>It was another element</source>
   <translation>Es war ein anderes Element</translation>
  </message>
  <message>
   <source>It was done; nothing tells whether it did what it should.</source>
   <translation>Er wurde ausgeführt; nichts verrät, ob er bewirkt hat, was er sollte.</translation>
  </message>
  <message>
   <source>It was not allowed.</source>
   <translation>Das war nicht erlaubt.</translation>
  </message>
  <message>
   <source>It was stopped by {reason}.</source>
   <translation>Die Wiederholung wurde angehalten durch {reason}.</translation>
  </message>
  <message>
   <source>It was stopped.</source>
   <translation>Die Wiederholung wurde angehalten.</translation>
  </message>
  <message>
   <source>It was {element}</source>
   <translation>Es war {element}</translation>
  </message>
  <message>
   <source>It will be written to {folder}.</source>
   <translation>Geschrieben wird nach {folder}.</translation>
  </message>
  <message>
   <source>It will use this screen's mouse and keyboard for {steps}.</source>
   <translation>Die Wiederholung benutzt Maus und Tastatur dieses Bildschirms für {steps}.</translation>
  </message>
  <message>
   <source>It would have been as right as the target</source>
   <translation>Es wäre so richtig gewesen wie das Ziel</translation>
  </message>
  <message>
   <source>Its plan has 1 step.</source>
   <translation>Ihr Plan hat 1 Schritt.</translation>
  </message>
  <message>
   <source>Its plan has no step.</source>
   <translation>Ihr Plan hat keinen Schritt.</translation>
  </message>
  <message>
   <source>Its plan has {count} steps.</source>
   <translation>Ihr Plan hat {count} Schritte.</translation>
  </message>
  <message>
   <source>Its task has 1 word.</source>
   <translation>Die Aufgabe hat 1 Wort.</translation>
  </message>
  <message>
   <source>Its task has {count} words.</source>
   <translation>Die Aufgabe hat {count} Wörter.</translation>
  </message>
  <message>
   <source>Its {steps} and every picture that no other demo shows are removed from the disk. Nothing can bring them back.</source>
   <translation>Die Demo ({steps}) und jedes Bild, das keine andere Demo zeigt, werden von der Festplatte entfernt. Das lässt sich nicht rückgängig machen.</translation>
  </message>
  <message>
   <source>Jan</source>
   <translation>Jan.</translation>
  </message>
  <message>
   <source>Join</source>
   <translation>Zusammenfügen</translation>
  </message>
  <message>
   <source>Judged</source>
   <translation>Beurteilt</translation>
  </message>
  <message>
   <source>Judged yes</source>
   <translation>Urteil: ja</translation>
  </message>
  <message>
   <source>Judged {who}</source>
   <translation>Beurteilt {who}</translation>
  </message>
  <message>
   <source>Jul</source>
   <translation>Juli</translation>
  </message>
  <message>
   <source>Jun</source>
   <translation>Juni</translation>
  </message>
  <message>
   <source>Kappa, agreement beyond chance: {figures}.</source>
   <translation>Kappa, Übereinstimmung über den Zufall hinaus: {figures}.</translation>
  </message>
  <message>
   <source>KeePassXC
bitwarden*</source>
   <translation>KeePassXC
bitwarden*</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>Keep a film</source>
   <translation>Film speichern</translation>
  </message>
  <message>
   <source>Keep a picture</source>
   <translation>Ein Bild behalten</translation>
  </message>
  <message>
   <source>Keep a picture from {where}</source>
   <translation>Ein Bild von {where} behalten</translation>
  </message>
  <message>
   <source>Keep a picture of the screen as a step.</source>
   <translation>Ein Bild des Bildschirms als Schritt speichern.</translation>
  </message>
  <message>
   <source>Keep all</source>
   <translation>Alle behalten</translation>
  </message>
  <message>
   <source>Keep all of mine</source>
   <translation>Alle meine behalten</translation>
  </message>
  <message>
   <source>Keep as a demo</source>
   <translation>Als Demo behalten</translation>
  </message>
  <message>
   <source>Keep clipboard texts</source>
   <translation>Texte der Zwischenablage speichern</translation>
  </message>
  <message>
   <source>Keep every distinct picture of the screen beside the steps</source>
   <translation>Jedes verschiedene Bild des Bildschirms neben den Schritten speichern</translation>
  </message>
  <message>
   <source>Keep every distinct picture of the screen beside the steps.</source>
   <translation>Jedes verschiedene Bild des Bildschirms neben den Schritten speichern.</translation>
  </message>
  <message>
   <source>Keep every value that is not replaced</source>
   <translation>Jeden Wert behalten, der nicht ersetzt wird</translation>
  </message>
  <message>
   <source>Keep it there</source>
   <translation>Dort lassen</translation>
  </message>
  <message>
   <source>Keep it without a key</source>
   <translation>Ohne Taste lassen</translation>
  </message>
  <message>
   <source>Keep mine</source>
   <translation>Meines behalten</translation>
  </message>
  <message>
   <source>Keep my opinion of {name}</source>
   <translation>Eigene Meinung zu {name} behalten</translation>
  </message>
  <message>
   <source>Keep my opinion on {number} things</source>
   <translation>Eigene Meinung zu {number} Punkten behalten</translation>
  </message>
  <message>
   <source>Keep my opinion on {number} things ({kind})</source>
   <translation>Eigene Meinung zu {number} Punkten behalten ({kind})</translation>
  </message>
  <message>
   <source>Keep my opinion, in the list</source>
   <translation>Eigene Meinung behalten, in der Liste</translation>
  </message>
  <message>
   <source>Keep the boxes under this name</source>
   <translation>Die Rahmen unter diesem Namen aufheben</translation>
  </message>
  <message>
   <source>Keep the steps as they are</source>
   <translation>Die Schritte lassen, wie sie sind</translation>
  </message>
  <message>
   <source>Keep what programs report</source>
   <translation>Angaben der Programme speichern</translation>
  </message>
  <message>
   <source>Keep with the task why it cannot be done</source>
   <translation>Bei der Aufgabe festhalten, warum sie nicht geht</translation>
  </message>
  <message>
   <source>Keep {keep}</source>
   <translation>{keep} behalten</translation>
  </message>
  <message>
   <source>Kept 1 private value.</source>
   <translation>1 privaten Wert behalten.</translation>
  </message>
  <message>
   <source>Kept a picture</source>
   <translation>Ein Bild behalten</translation>
  </message>
  <message>
   <source>Kept a picture from {where}</source>
   <translation>Ein Bild von {where} behalten</translation>
  </message>
  <message>
   <source>Kept by the filter</source>
   <translation>Vom Filter behalten</translation>
  </message>
  <message>
   <source>Kept why it cannot be done.</source>
   <translation>Der Grund steht bei der Aufgabe.</translation>
  </message>
  <message>
   <source>Kept {number} private values.</source>
   <translation>{number} private Werte behalten.</translation>
  </message>
  <message>
   <source>Key</source>
   <translation>Taste</translation>
  </message>
  <message>
   <source>Keyboard and mouse can no longer be watched.</source>
   <translation>Tastatur und Maus lassen sich nicht mehr beobachten.</translation>
  </message>
  <message>
   <source>Keyboard and mouse cannot be watched in this session.</source>
   <translation>Tastatur und Maus lassen sich in dieser Sitzung nicht beobachten.</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>Tasten</translation>
  </message>
  <message>
   <source>Keys and pointer cannot be controlled in this session.</source>
   <translation>Tasten und Zeiger lassen sich in dieser Sitzung nicht steuern.</translation>
  </message>
  <message>
   <source>Keys cannot be controlled: the keyboard layout could not be read.</source>
   <translation>Tasten lassen sich nicht steuern: Die Tastaturbelegung war nicht zu lesen.</translation>
  </message>
  <message>
   <source>Keys cannot be read: libxkbcommon-x11 is missing.</source>
   <translation>Tasten lassen sich nicht lesen: libxkbcommon-x11 fehlt.</translation>
  </message>
  <message>
   <source>Keys of the editor</source>
   <translation>Tasten des Editors</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>Art</translation>
  </message>
  <message>
   <source>Kind and date</source>
   <translation>Art und Datum</translation>
  </message>
  <message>
   <source>Kind of action</source>
   <translation>Art der Aktion</translation>
  </message>
  <message>
   <source>Kind of differences</source>
   <translation>Art der Unterschiede</translation>
  </message>
  <message>
   <source>Known are {programs}. Add it to programs.toml in the folder of the templates.</source>
   <translation>Bekannt sind {programs}. Tragen Sie es in programs.toml im Ordner der Vorlagen ein.</translation>
  </message>
  <message>
   <source>Known icons: 1 named</source>
   <translation>Bekannte Symbole: 1 benannt</translation>
  </message>
  <message>
   <source>Known icons: {count} named</source>
   <translation>Bekannte Symbole: {count} benannt</translation>
  </message>
  <message>
   <source>LAM samples (Appendix C)</source>
   <translation>LAM-Beispiele (Anhang C)</translation>
  </message>
  <message>
   <source>LLMResponse JSON Lines</source>
   <translation>LLMResponse, JSON Lines</translation>
  </message>
  <message>
   <source>Label Studio JSON</source>
   <translation>Label-Studio-JSON</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Language model</source>
   <translation>Sprachmodell</translation>
  </message>
  <message>
   <source>Largest distance between presses, px.</source>
   <translation>Größter Abstand zwischen zwei Klicks, px.</translation>
  </message>
  <message>
   <source>Last step</source>
   <translation>Letzter Schritt</translation>
  </message>
  <message>
   <source>Last: {last}</source>
   <translation>Zuletzt: {last}</translation>
  </message>
  <message>
   <source>Learn from</source>
   <translation>Lernen aus</translation>
  </message>
  <message>
   <source>Least confidence of a suggestion, in percent</source>
   <translation>Geringste Sicherheit eines Vorschlags, in Prozent</translation>
  </message>
  <message>
   <source>Least sure: {place} of {ordered} to look at in this demo.</source>
   <translation>Am unsichersten: {place} von {ordered} anzusehenden in dieser Demo.</translation>
  </message>
  <message>
   <source>Least time between two characters, ms.</source>
   <translation>Kürzeste Zeit zwischen zwei Zeichen, ms.</translation>
  </message>
  <message>
   <source>Leave it at 0 when it was not measured.</source>
   <translation>Bei 0 lassen, wenn nicht gemessen wurde.</translation>
  </message>
  <message>
   <source>Leave open whether the task was done</source>
   <translation>Offen lassen, ob die Aufgabe erledigt wurde</translation>
  </message>
  <message>
   <source>Leave out</source>
   <translation>Auslassen</translation>
  </message>
  <message>
   <source>Leave out pictures that show something else in the place of a box</source>
   <translation>Bilder auslassen, die an der Stelle eines Rahmens etwas anderes zeigen</translation>
  </message>
  <message>
   <source>Leave the mouse alone during the replay, and use a screen of the recorded size.</source>
   <translation>Bewegen Sie während der Wiederholung die Maus nicht, und nehmen Sie einen Bildschirm der aufgenommenen Größe.</translation>
  </message>
  <message>
   <source>Leave the password field that has the input; in Terminal switch Secure Keyboard Entry off. No pane of System Settings does it: if it stays on, quit the program that holds it, often a password manager.</source>
   <translation>Verlassen Sie das Passwortfeld, das die Eingabe hat; schalten Sie im Terminal „Sichere Tastatureingabe“ aus. In den Systemeinstellungen geht das nicht: Bleibt sie an, beenden Sie das Programm, das sie festhält, oft ein Passwortmanager.</translation>
  </message>
  <message>
   <source>Leave the step whole</source>
   <translation>Den Schritt ganz lassen</translation>
  </message>
  <message>
   <source>Leave the table out</source>
   <translation>Die Tabelle weglassen</translation>
  </message>
  <message>
   <source>Left edge in pixels</source>
   <translation>Linke Kante in Pixeln</translation>
  </message>
  <message>
   <source>Left edge, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10</source>
   <translation>Linke Kante, Pixel des Bildschirmfotos; die Pfeiltasten ändern sie um 1, mit Umschalt um 10</translation>
  </message>
  <message>
   <source>Left out: {what} ({count}).</source>
   <translation>Weggelassen: {what} ({count}).</translation>
  </message>
  <message>
   <source>Left, top, right and bottom edge, pixels of the virtual desktop; painted over, clicks left out.</source>
   <translation>Linke, obere, rechte und untere Kante, Pixel des virtuellen Desktops; übermalt, Klicks werden ausgelassen.</translation>
  </message>
  <message>
   <source>Less exact: {things}.</source>
   <translation>Weniger genau: {things}.</translation>
  </message>
  <message>
   <source>Let a model write them, check them, compare writers</source>
   <translation>Von einem Modell schreiben lassen, prüfen, Verfasser vergleichen</translation>
  </message>
  <message>
   <source>Let go of keyboard and mouse and start it again.</source>
   <translation>Lassen Sie Tastatur und Maus los, und starten Sie noch einmal.</translation>
  </message>
  <message>
   <source>Let it be learned</source>
   <translation>Lernen lassen</translation>
  </message>
  <message>
   <source>Let this session start XWayland, so that DISPLAY is set, or install Xwayland 23.1 or newer.</source>
   <translation>Lassen Sie diese Sitzung XWayland starten, damit DISPLAY gesetzt ist, oder installieren Sie Xwayland ab 23.1.</translation>
  </message>
  <message>
   <source>Letters on every box</source>
   <translation>Buchstaben auf jedem Rahmen</translation>
  </message>
  <message>
   <source>Library</source>
   <translation>Bibliothek</translation>
  </message>
  <message>
   <source>Library {name}</source>
   <translation>Bibliothek {name}</translation>
  </message>
  <message>
   <source>Library, pack or annotations</source>
   <translation>Bibliothek, Paket oder Annotationen</translation>
  </message>
  <message>
   <source>Licence</source>
   <translation>Lizenz</translation>
  </message>
  <message>
   <source>Lies in</source>
   <translation>Liegt in</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>Hell</translation>
  </message>
  <message>
   <source>Light, dark or high contrast</source>
   <translation>Hell, dunkel oder starker Kontrast</translation>
  </message>
  <message>
   <source>Light, dark, high contrast, or as the system.</source>
   <translation>Hell, dunkel, starker Kontrast oder wie im System.</translation>
  </message>
  <message>
   <source>Line {line}: {words}</source>
   <translation>Zeile {line}: {words}</translation>
  </message>
  <message>
   <source>Lines read with less are dropped.</source>
   <translation>Zeilen, die unsicherer gelesen wurden, entfallen.</translation>
  </message>
  <message>
   <source>List</source>
   <translation>Liste</translation>
  </message>
  <message>
   <source>List elements in examples</source>
   <translation>Elemente in Beispielen auflisten</translation>
  </message>
  <message>
   <source>List the elements of every step</source>
   <translation>Die Elemente aller Schritte auflisten</translation>
  </message>
  <message>
   <source>List the elements of this picture</source>
   <translation>Die Elemente dieses Bildes auflisten</translation>
  </message>
  <message>
   <source>Log in again; everything recorded up to then is saved.</source>
   <translation>Melden Sie sich neu an; alles bis dahin Aufgenommene ist gespeichert.</translation>
  </message>
  <message>
   <source>Log in to a desktop, or use the commands instead: demopack record, parse, rationale and export work without a window.</source>
   <translation>Auf einem Desktop anmelden oder stattdessen die Befehle nehmen: demopack record, parse, rationale und export laufen ohne Fenster.</translation>
  </message>
  <message>
   <source>Long press</source>
   <translation>Langer Druck</translation>
  </message>
  <message>
   <source>Longest time between two presses, ms.</source>
   <translation>Längste Zeit zwischen zwei Klicks, ms.</translation>
  </message>
  <message>
   <source>Longest time to describe the elements of one screen, s; those near the pointer come first.</source>
   <translation>Längste Zeit, um die Elemente eines Bildschirms zu beschreiben, s; die nahe am Zeiger kommen zuerst.</translation>
  </message>
  <message>
   <source>Longest wait for a screen to come to rest, ms.</source>
   <translation>Längste Zeit, bis ein Bildschirm zur Ruhe kommt, ms.</translation>
  </message>
  <message>
   <source>Longest wait for a screen to come to rest, s.</source>
   <translation>Längste Zeit, bis ein Bildschirm zur Ruhe kommt, s.</translation>
  </message>
  <message>
   <source>Longest wait for one answer before it is asked again, s.</source>
   <translation>Längste Wartezeit auf eine Antwort, bevor erneut gefragt wird, s.</translation>
  </message>
  <message>
   <source>Look at the step, and change it</source>
   <translation>Den Schritt ansehen und ändern</translation>
  </message>
  <message>
   <source>Look back to this time</source>
   <translation>Bis zu diesem Zeitpunkt zurückblicken</translation>
  </message>
  <message>
   <source>Look for private data</source>
   <translation>Nach privaten Angaben suchen</translation>
  </message>
  <message>
   <source>Look through the library once more</source>
   <translation>Die Bibliothek noch einmal durchsehen</translation>
  </message>
  <message>
   <source>Looking at screen {value} …</source>
   <translation>Bildschirm {value} wird untersucht …</translation>
  </message>
  <message>
   <source>Looking for doubles</source>
   <translation>Dubletten werden gesucht</translation>
  </message>
  <message>
   <source>Looking for examples</source>
   <translation>Beispiele werden gesucht</translation>
  </message>
  <message>
   <source>Looking for what changed</source>
   <translation>Änderungen werden gesucht</translation>
  </message>
  <message>
   <source>Looking through the library …</source>
   <translation>Die Bibliothek wird durchgesehen …</translation>
  </message>
  <message>
   <source>Loss</source>
   <translation>Verlust</translation>
  </message>
  <message>
   <source>Lost, or less exact: {what}.</source>
   <translation>Geht verloren oder wird ungenauer: {what}.</translation>
  </message>
  <message>
   <source>Lost: {things}, because {why}.</source>
   <translation>Verloren: {things}, weil {why}.</translation>
  </message>
  <message>
   <source>Loupe</source>
   <translation>Lupe</translation>
  </message>
  <message>
   <source>Made by a person and otherwise in the file, so they stay: {number} ({names}).</source>
   <translation>Von Hand gemacht und in der Datei anders, daher bleiben sie: {number} ({names}).</translation>
  </message>
  <message>
   <source>Make a new demo of it</source>
   <translation>Eine neue Demo daraus machen</translation>
  </message>
  <message>
   <source>Make mine like theirs (Enter)</source>
   <translation>Meines an das andere angleichen (Eingabe)</translation>
  </message>
  <message>
   <source>Make room and try again.</source>
   <translation>Schaffen Sie Platz und versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>Make room soon.</source>
   <translation>Schaffen Sie bald Platz.</translation>
  </message>
  <message>
   <source>Make room, or choose another library.</source>
   <translation>Schaffen Sie Platz oder wählen Sie eine andere Bibliothek.</translation>
  </message>
  <message>
   <source>Make room.</source>
   <translation>Schaffen Sie Platz.</translation>
  </message>
  <message>
   <source>Make the demo as it was right after this edit</source>
   <translation>Die Demo so machen, wie sie gleich nach dieser Änderung war</translation>
  </message>
  <message>
   <source>Make the text of {step} a fixed text</source>
   <translation>Text von {step} zu festem Text machen</translation>
  </message>
  <message>
   <source>Make the text of {step} the variable {{{name}}}</source>
   <translation>Text von {step} zur Variablen {{{name}}} machen</translation>
  </message>
  <message>
   <source>Make this take a demo of its own</source>
   <translation>Diese Neuaufnahme zu einer eigenen Demo machen</translation>
  </message>
  <message>
   <source>Make this the element that the step was done to</source>
   <translation>Zum Element machen, auf das der Schritt wirkte</translation>
  </message>
  <message>
   <source>Make this the element that was meant</source>
   <translation>Zum gemeinten Element machen</translation>
  </message>
  <message>
   <source>Make two steps of it</source>
   <translation>Zwei Schritte daraus machen</translation>
  </message>
  <message>
   <source>Make typed text a variable</source>
   <translation>Getippten Text zur Variablen machen</translation>
  </message>
  <message>
   <source>Make {element} the end target of {step}</source>
   <translation>{element} zum Endziel von {step} machen</translation>
  </message>
  <message>
   <source>Make {element} the target of {step}</source>
   <translation>{element} zum Ziel von {step} machen</translation>
  </message>
  <message>
   <source>Mar</source>
   <translation>März</translation>
  </message>
  <message>
   <source>Mark a typed text with F10 while recording, or in the editor (Variable).</source>
   <translation>Kennzeichnen Sie einen getippten Text beim Aufnehmen mit F10 oder im Editor (Variable).</translation>
  </message>
  <message>
   <source>Mark as doubtful, and go on</source>
   <translation>Als zweifelhaft kennzeichnen und weiter</translation>
  </message>
  <message>
   <source>Mark the task as failed</source>
   <translation>Aufgabe als fehlgeschlagen kennzeichnen</translation>
  </message>
  <message>
   <source>Mark the task as finished</source>
   <translation>Aufgabe als erledigt kennzeichnen</translation>
  </message>
  <message>
   <source>Mark the text just typed as a variable.</source>
   <translation>Den zuletzt getippten Text als Variable kennzeichnen.</translation>
  </message>
  <message>
   <source>Mark what changed since the step before</source>
   <translation>Kennzeichnen, was sich seit dem Schritt davor geändert hat</translation>
  </message>
  <message>
   <source>Mark {elements} as right, too, in {step}</source>
   <translation>In {step} ebenfalls als richtig kennzeichnen: {elements}</translation>
  </message>
  <message>
   <source>Mark {element} as not {state}</source>
   <translation>{element} als nicht {state} kennzeichnen</translation>
  </message>
  <message>
   <source>Mark {element} as {state}</source>
   <translation>{element} als {state} kennzeichnen</translation>
  </message>
  <message>
   <source>Mark {element} as {state}: not visible</source>
   <translation>{element}: „{state}“ als nicht sichtbar kennzeichnen</translation>
  </message>
  <message>
   <source>Match</source>
   <translation>Bildgleichheit</translation>
  </message>
  <message>
   <source>May</source>
   <translation>Mai</translation>
  </message>
  <message>
   <source>May tell what came of it</source>
   <translation>Darf verraten, was daraus wurde</translation>
  </message>
  <message>
   <source>Meanings come from the describer alone</source>
   <translation>Bedeutungen kommen allein vom Beschreiber</translation>
  </message>
  <message>
   <source>Mend that, then continue.</source>
   <translation>Das beheben, dann fortsetzen.</translation>
  </message>
  <message>
   <source>Mend the file or move it away; the others work.</source>
   <translation>Die Datei reparieren oder woandershin legen; die anderen funktionieren.</translation>
  </message>
  <message>
   <source>Menu</source>
   <translation>Menü</translation>
  </message>
  <message>
   <source>Merge</source>
   <translation>Zusammenfügen</translation>
  </message>
  <message>
   <source>Merge steps {value} to {value2}</source>
   <translation>Schritte {value} bis {value2} zusammenfügen</translation>
  </message>
  <message>
   <source>Merge {count} boxes into {one}</source>
   <translation>{count} Rahmen zu {one} zusammenfügen</translation>
  </message>
  <message>
   <source>Merge, also with the next</source>
   <translation>Zusammenfügen, auch mit dem nächsten</translation>
  </message>
  <message>
   <source>Message</source>
   <translation>Meldung</translation>
  </message>
  <message>
   <source>Messages whose places are boxes that ms-swift writes as its model wants them.</source>
   <translation>Nachrichten, deren Orte Rahmen sind, die ms-swift schreibt, wie sein Modell sie will.</translation>
  </message>
  <message>
   <source>Messages with a placeholder where a picture stands: LLaMA-Factory, ms-swift and Qwen-VL train on them.</source>
   <translation>Nachrichten mit einem Platzhalter, wo ein Bild steht: Damit trainieren LLaMA-Factory, ms-swift und Qwen-VL.</translation>
  </message>
  <message>
   <source>Meta</source>
   <translation>Meta</translation>
  </message>
  <message>
   <source>Middle button, or Space</source>
   <translation>Mittlere Maustaste oder Leertaste</translation>
  </message>
  <message>
   <source>Middle-click {where}</source>
   <translation>{where} mit der mittleren Taste anklicken</translation>
  </message>
  <message>
   <source>Middle-clicked {where}</source>
   <translation>{where} mit der mittleren Taste angeklickt</translation>
  </message>
  <message>
   <source>Missing</source>
   <translation>Was fehlt</translation>
  </message>
  <message>
   <source>Models</source>
   <translation>Modelle</translation>
  </message>
  <message>
   <source>More</source>
   <translation>Mehr</translation>
  </message>
  <message>
   <source>More than one thing on the screen may be meant.</source>
   <translation>Auf dem Bildschirm kann mehr als eine Stelle gemeint sein.</translation>
  </message>
  <message>
   <source>More than these wait for their turn.</source>
   <translation>Weitere warten, bis sie an der Reihe sind.</translation>
  </message>
  <message>
   <source>Most is learned from correcting these screens, in this order. Choose one to open it.</source>
   <translation>Am meisten wird gelernt, wenn diese Bildschirme in dieser Reihenfolge korrigiert werden. Auswählen öffnet einen.</translation>
  </message>
  <message>
   <source>Most that it may cost, in dollars</source>
   <translation>Was es höchstens kosten darf, in Dollar</translation>
  </message>
  <message>
   <source>Mouse</source>
   <translation>Maus</translation>
  </message>
  <message>
   <source>Move by a pixel</source>
   <translation>Um ein Pixel verschieben</translation>
  </message>
  <message>
   <source>Move by ten pixels</source>
   <translation>Um zehn Pixel verschieben</translation>
  </message>
  <message>
   <source>Move down</source>
   <translation>Nach unten</translation>
  </message>
  <message>
   <source>Move down by a pixel</source>
   <translation>Einen Pixel nach unten</translation>
  </message>
  <message>
   <source>Move it, resize it</source>
   <translation>Verschieben, Größe ändern</translation>
  </message>
  <message>
   <source>Move left by a pixel</source>
   <translation>Einen Pixel nach links</translation>
  </message>
  <message>
   <source>Move right by a pixel</source>
   <translation>Einen Pixel nach rechts</translation>
  </message>
  <message>
   <source>Move the end of {step} to {x}, {y}</source>
   <translation>Ende von {step} nach {x}, {y} verschieben</translation>
  </message>
  <message>
   <source>Move the spot of {step} to {x}, {y}</source>
   <translation>Stelle von {step} nach {x}, {y} verschieben</translation>
  </message>
  <message>
   <source>Move up</source>
   <translation>Nach oben</translation>
  </message>
  <message>
   <source>Move up by a pixel</source>
   <translation>Einen Pixel nach oben</translation>
  </message>
  <message>
   <source>Move {several}</source>
   <translation>{several} verschieben</translation>
  </message>
  <message>
   <source>Move {what} {where}</source>
   <translation>{what} {where} verschieben</translation>
  </message>
  <message>
   <source>NEED A LOOK</source>
   <translation>ANZUSEHEN</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>Name</translation>
  </message>
  <message>
   <source>Name another library or pack.</source>
   <translation>Eine andere Bibliothek oder ein anderes Paket angeben.</translation>
  </message>
  <message>
   <source>Name each column as a variable.</source>
   <translation>Benennen Sie jede Spalte wie eine Variable.</translation>
  </message>
  <message>
   <source>Name for what was typed: “{typed}”</source>
   <translation>Name für den getippten Text: „{typed}“</translation>
  </message>
  <message>
   <source>Name icons that are known</source>
   <translation>Bekannte Symbole benennen</translation>
  </message>
  <message>
   <source>Name of a new template</source>
   <translation>Name einer neuen Vorlage</translation>
  </message>
  <message>
   <source>Name of a variable</source>
   <translation>Name einer Variablen</translation>
  </message>
  <message>
   <source>Name of the key</source>
   <translation>Name des Schlüssels</translation>
  </message>
  <message>
   <source>Name of the new template</source>
   <translation>Name der neuen Vorlage</translation>
  </message>
  <message>
   <source>Name of the variable</source>
   <translation>Name der Variablen</translation>
  </message>
  <message>
   <source>Name the program that is started.</source>
   <translation>Das gestartete Programm nennen.</translation>
  </message>
  <message>
   <source>Name {count} icons by their looks</source>
   <translation>{count} Symbole nach ihrem Aussehen benennen</translation>
  </message>
  <message>
   <source>Name {element} “{name}”, by its looks</source>
   <translation>{element} nach dem Aussehen „{name}“ nennen</translation>
  </message>
  <message>
   <source>Names, roles, values and places of what windows show, beside each step, where programs are asked at all.</source>
   <translation>Namen, Rollen, Werte und Plätze dessen, was Fenster zeigen, neben jedem Schritt, sofern Programme überhaupt gefragt werden.</translation>
  </message>
  <message>
   <source>Names; * stands for anything. Neither their pixels nor what is done in them is recorded.</source>
   <translation>Namen; * steht für beliebigen Text. Weder ihre Pixel noch das, was darin geschieht, wird aufgenommen.</translation>
  </message>
  <message>
   <source>Neither reasoning steps nor examples</source>
   <translation>Weder Denkschritte noch Beispiele</translation>
  </message>
  <message>
   <source>Never recorded: {join}.</source>
   <translation>Nie aufgenommen: {join}.</translation>
  </message>
  <message>
   <source>New training</source>
   <translation>Neues Training</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <source>Next doubtful step</source>
   <translation>Nächster zweifelhafter Schritt</translation>
  </message>
  <message>
   <source>Next element</source>
   <translation>Nächstes Element</translation>
  </message>
  <message>
   <source>Next part of the window</source>
   <translation>Nächster Teil des Fensters</translation>
  </message>
  <message>
   <source>Next region that changed and asks for attention</source>
   <translation>Nächster geänderter Bereich, der Aufmerksamkeit verlangt</translation>
  </message>
  <message>
   <source>Next step</source>
   <translation>Nächster Schritt</translation>
  </message>
  <message>
   <source>Next task</source>
   <translation>Nächste Aufgabe</translation>
  </message>
  <message>
   <source>No application is blocked.</source>
   <translation>Keine Anwendung ist gesperrt.</translation>
  </message>
  <message>
   <source>No card: nothing is known about it</source>
   <translation>Keine Modellkarte: Es ist nichts darüber bekannt</translation>
  </message>
  <message>
   <source>No control reads “{text}”.</source>
   <translation>Kein Bedienelement heißt „{text}“.</translation>
  </message>
  <message>
   <source>No control reads “{text}”; “{other}” is {likeness} like it.</source>
   <translation>Kein Bedienelement heißt „{text}“; „{other}“ gleicht ihm zu {likeness}.</translation>
  </message>
  <message>
   <source>No demo fits this search.</source>
   <translation>Keine Demo passt zu dieser Suche.</translation>
  </message>
  <message>
   <source>No demo in {path} shows a picture of this demo.</source>
   <translation>Keine Demo in {path} zeigt ein Bild dieser Demo.</translation>
  </message>
  <message>
   <source>No demos yet</source>
   <translation>Noch keine Demos</translation>
  </message>
  <message>
   <source>No earlier step has elements to carry over.</source>
   <translation>Kein früherer Schritt hat Elemente, die sich übernehmen lassen.</translation>
  </message>
  <message>
   <source>No element fits this search.</source>
   <translation>Kein Element passt zu dieser Suche.</translation>
  </message>
  <message>
   <source>No example of the very same task</source>
   <translation>Kein Beispiel derselben Aufgabe</translation>
  </message>
  <message>
   <source>No example.</source>
   <translation>Kein Beispiel.</translation>
  </message>
  <message>
   <source>No examples</source>
   <translation>Keine Beispiele</translation>
  </message>
  <message>
   <source>No figures are written on its card.</source>
   <translation>Auf der Modellkarte stehen keine Kennzahlen.</translation>
  </message>
  <message>
   <source>No figures are written on these cards.</source>
   <translation>Auf diesen Modellkarten stehen keine Kennzahlen.</translation>
  </message>
  <message>
   <source>No filter takes it back; one undo does</source>
   <translation>Kein Filter nimmt das zurück, Rückgängig schon</translation>
  </message>
  <message>
   <source>No folder can be made there.</source>
   <translation>Dort kann kein Ordner entstehen.</translation>
  </message>
  <message>
   <source>No input has been seen yet. If you did something, input cannot be watched here.</source>
   <translation>Noch ist keine Eingabe angekommen. Falls Sie etwas getan haben, lassen sich Eingaben hier nicht beobachten.</translation>
  </message>
  <message>
   <source>No key</source>
   <translation>Keine Taste</translation>
  </message>
  <message>
   <source>No key fits this search.</source>
   <translation>Keine Taste passt zu dieser Suche.</translation>
  </message>
  <message>
   <source>No more hints; More in a demo shows them again</source>
   <translation>Keine Hinweise mehr; „Mehr“ in einer Demo zeigt sie wieder</translation>
  </message>
  <message>
   <source>No more pictures are added when the film is larger, MB.</source>
   <translation>Ist der Film größer, kommen keine Bilder mehr dazu, MB.</translation>
  </message>
  <message>
   <source>No more reports are kept when they are larger, MB.</source>
   <translation>Sind die Angaben größer, werden keine weiteren gespeichert, MB.</translation>
  </message>
  <message>
   <source>No open element is left on this picture: {words}. Space approves the step.</source>
   <translation>Auf diesem Bild ist kein Element mehr offen: {words}. Leertaste gibt den Schritt frei.</translation>
  </message>
  <message>
   <source>No pictures of the screen arrive: it does not answer.</source>
   <translation>Es kommen keine Bilder vom Bildschirm: Er antwortet nicht.</translation>
  </message>
  <message>
   <source>No program is called so. Enter runs it as a command.</source>
   <translation>So heißt kein Programm. Die Eingabetaste führt es als Befehl aus.</translation>
  </message>
  <message>
   <source>No program keeps the keyboard to itself.</source>
   <translation>Kein Programm behält die Tastatur für sich.</translation>
  </message>
  <message>
   <source>No reasoning steps</source>
   <translation>Keine Denkschritte</translation>
  </message>
  <message>
   <source>No recording desktop can be opened: no window manager is installed.</source>
   <translation>Es lässt sich keine Aufnahme-Arbeitsfläche öffnen: Kein Fenstermanager ist installiert.</translation>
  </message>
  <message>
   <source>No recording desktop can be opened: {why}.</source>
   <translation>Es lässt sich keine Aufnahme-Arbeitsfläche öffnen: {why}.</translation>
  </message>
  <message>
   <source>No region that changed asks for attention any more.</source>
   <translation>Kein geänderter Bereich verlangt noch Aufmerksamkeit.</translation>
  </message>
  <message>
   <source>No saved step was forgotten</source>
   <translation>Kein gespeicherter Schritt wurde vergessen</translation>
  </message>
  <message>
   <source>No screen was approved or reported yet: approve steps, or record with accessibility on.</source>
   <translation>Noch ist kein Bildschirm freigegeben oder gemeldet: Schritte freigeben oder mit Barrierefreiheit aufnehmen.</translation>
  </message>
  <message>
   <source>No setting fits this search.</source>
   <translation>Keine Einstellung passt zu dieser Suche.</translation>
  </message>
  <message>
   <source>No state is known yet.</source>
   <translation>Noch ist kein Zustand bekannt.</translation>
  </message>
  <message>
   <source>No step follows with another picture.</source>
   <translation>Es folgt kein Schritt mit einem anderen Bild.</translation>
  </message>
  <message>
   <source>No step is selected.</source>
   <translation>Kein Schritt ist ausgewählt.</translation>
  </message>
  <message>
   <source>No step.</source>
   <translation>Kein Schritt.</translation>
  </message>
  <message>
   <source>No steps</source>
   <translation>Keine Schritte</translation>
  </message>
  <message>
   <source>No suggestion is left on this picture.</source>
   <translation>Auf diesem Bild ist kein Vorschlag mehr übrig.</translation>
  </message>
  <message>
   <source>No suggestion is shown on this picture.</source>
   <translation>Auf diesem Bild wird kein Vorschlag gezeigt.</translation>
  </message>
  <message>
   <source>No task fits this search.</source>
   <translation>Keine Aufgabe passt zu dieser Suche.</translation>
  </message>
  <message>
   <source>No task is waiting.</source>
   <translation>Keine Aufgabe wartet.</translation>
  </message>
  <message>
   <source>No task written</source>
   <translation>Keine Aufgabe angegeben</translation>
  </message>
  <message>
   <source>No tasks yet</source>
   <translation>Noch keine Aufgaben</translation>
  </message>
  <message>
   <source>No terminal is installed to run it in.</source>
   <translation>Es ist kein Terminal installiert, in dem es laufen könnte.</translation>
  </message>
  <message>
   <source>No type begins like this</source>
   <translation>So beginnt kein Typ</translation>
  </message>
  <message>
   <source>No variable takes its value from a column of the table.</source>
   <translation>Keine Variable nimmt ihren Wert aus einer Spalte der Tabelle.</translation>
  </message>
  <message>
   <source>No window is chosen.</source>
   <translation>Kein Fenster ist gewählt.</translation>
  </message>
  <message>
   <source>No {kind} is used from now on.</source>
   <translation>Ab jetzt ohne {kind}.</translation>
  </message>
  <message>
   <source>Nobody has looked at it yet</source>
   <translation>Noch niemand hat es angesehen</translation>
  </message>
  <message>
   <source>Nobody has marked elements on the pictures of this demo in {path}.</source>
   <translation>In {path} hat niemand Elemente auf den Bildern dieser Demo gekennzeichnet.</translation>
  </message>
  <message>
   <source>Nobody said how a document of {app} is opened.</source>
   <translation>Es ist nicht bekannt, wie ein Dokument von {app} geöffnet wird.</translation>
  </message>
  <message>
   <source>Nobody says how the task ended</source>
   <translation>Wie die Aufgabe ausging, ist nicht angegeben</translation>
  </message>
  <message>
   <source>None</source>
   <translation>Keines</translation>
  </message>
  <message>
   <source>None left</source>
   <translation>Keine mehr</translation>
  </message>
  <message>
   <source>None of its pictures is one of this demo.</source>
   <translation>Keines der Bilder gehört zu dieser Demo.</translation>
  </message>
  <message>
   <source>None of the {pictures} pictures of {path} is one of this demo.</source>
   <translation>Keines der {pictures} Bilder von {path} gehört zu dieser Demo.</translation>
  </message>
  <message>
   <source>Not all fields of the window could be asked for: look whether a secret can be seen.</source>
   <translation>Nicht alle Felder des Fensters konnten erfragt werden: sieh nach, ob ein Geheimnis zu sehen ist.</translation>
  </message>
  <message>
   <source>Not all steps were performed.</source>
   <translation>Nicht alle Schritte wurden ausgeführt.</translation>
  </message>
  <message>
   <source>Not now</source>
   <translation>Nicht jetzt</translation>
  </message>
  <message>
   <source>Notches</source>
   <translation>Rasten</translation>
  </message>
  <message>
   <source>Note</source>
   <translation>Notiz</translation>
  </message>
  <message>
   <source>Note kept on</source>
   <translation>Notiz gespeichert zu</translation>
  </message>
  <message>
   <source>Note on step {number}: {words}</source>
   <translation>Notiz zu Schritt {number}: {words}</translation>
  </message>
  <message>
   <source>Note on the last step</source>
   <translation>Notiz zum letzten Schritt</translation>
  </message>
  <message>
   <source>Notes</source>
   <translation>Notizen</translation>
  </message>
  <message>
   <source>Nothing asks for attention.</source>
   <translation>Nichts verlangt Aufmerksamkeit.</translation>
  </message>
  <message>
   <source>Nothing can be written to {folder}: {why}.</source>
   <translation>In {folder} kann nichts geschrieben werden: {why}.</translation>
  </message>
  <message>
   <source>Nothing changed on the screen.</source>
   <translation>Auf dem Bildschirm hat sich nichts verändert.</translation>
  </message>
  <message>
   <source>Nothing else needs a look.</source>
   <translation>Sonst muss nichts angesehen werden.</translation>
  </message>
  <message>
   <source>Nothing has been done yet.</source>
   <translation>Bisher wurde nichts getan.</translation>
  </message>
  <message>
   <source>Nothing in it contradicts the screen.</source>
   <translation>Nichts darin widerspricht dem Bildschirm.</translation>
  </message>
  <message>
   <source>Nothing is being recorded.</source>
   <translation>Es wird nichts aufgenommen.</translation>
  </message>
  <message>
   <source>Nothing is different from then.</source>
   <translation>Nichts ist anders als damals.</translation>
  </message>
  <message>
   <source>Nothing is selected: saves all of this picture, {boxes}.</source>
   <translation>Nichts ist ausgewählt: Gespeichert wird das ganze Bild, {boxes}.</translation>
  </message>
  <message>
   <source>Nothing is sent that could cost more; 0 for what the settings allow</source>
   <translation>Gesendet wird nichts, was mehr kosten könnte; 0 für das, was die Einstellungen erlauben</translation>
  </message>
  <message>
   <source>Nothing is there</source>
   <translation>Dort ist nichts</translation>
  </message>
  <message>
   <source>Nothing larger can be seen around it.</source>
   <translation>Darum herum ist nichts Größeres zu sehen.</translation>
  </message>
  <message>
   <source>Nothing of its picture was found here: the boxes are shown where they were.</source>
   <translation>Nichts von ihrem Bild wurde hier gefunden: Die Rahmen stehen, wo sie waren.</translation>
  </message>
  <message>
   <source>Nothing on this picture is like it.</source>
   <translation>Auf diesem Bild gleicht ihm nichts.</translation>
  </message>
  <message>
   <source>Nothing private was found.</source>
   <translation>Nichts Privates gefunden.</translation>
  </message>
  <message>
   <source>Nothing snaps</source>
   <translation>Nichts rastet ein</translation>
  </message>
  <message>
   <source>Nothing that they say was lost.</source>
   <translation>Nichts davon ging verloren.</translation>
  </message>
  <message>
   <source>Nothing that they say would be lost.</source>
   <translation>Nichts davon ginge verloren.</translation>
  </message>
  <message>
   <source>Nothing to correct: there are no elements that nobody looked at. Open a demo and find elements first.</source>
   <translation>Nichts zu korrigieren: Alle Elemente sind schon angesehen. Eine Demo öffnen und zuerst Elemente finden.</translation>
  </message>
  <message>
   <source>Nothing to put a box around can be seen there. Drag to draw one.</source>
   <translation>Dort ist nichts zu sehen, das einen Rahmen bekommen könnte. Ziehen zeichnet einen.</translation>
  </message>
  <message>
   <source>Nothing to review</source>
   <translation>Nichts durchzusehen</translation>
  </message>
  <message>
   <source>Nothing to show yet</source>
   <translation>Noch nichts zu zeigen</translation>
  </message>
  <message>
   <source>Nothing was changed.</source>
   <translation>Nichts wurde geändert.</translation>
  </message>
  <message>
   <source>Nothing was corrected yet.</source>
   <translation>Noch nichts wurde korrigiert.</translation>
  </message>
  <message>
   <source>Nothing was decided yet.</source>
   <translation>Noch nichts wurde entschieden.</translation>
  </message>
  <message>
   <source>Nothing was deleted.</source>
   <translation>Nichts wurde gelöscht.</translation>
  </message>
  <message>
   <source>Nothing was edited yet.</source>
   <translation>Noch wurde nichts geändert.</translation>
  </message>
  <message>
   <source>Nothing was moved. Move the other steps instead.</source>
   <translation>Nichts wurde verschoben. Stattdessen die anderen Schritte verschieben.</translation>
  </message>
  <message>
   <source>Nothing was recorded.</source>
   <translation>Es wurde nichts aufgenommen.</translation>
  </message>
  <message>
   <source>Nothing was recorded; the demo is as it was.</source>
   <translation>Es wurde nichts aufgenommen; die Demo ist, wie sie war.</translation>
  </message>
  <message>
   <source>Nothing was said about it</source>
   <translation>Noch nichts dazu gesagt</translation>
  </message>
  <message>
   <source>Nothing: from scratch</source>
   <translation>Nichts: von Grund auf</translation>
  </message>
  <message>
   <source>Nov</source>
   <translation>Nov.</translation>
  </message>
  <message>
   <source>Now</source>
   <translation>Jetzt</translation>
  </message>
  <message>
   <source>Number of a step that shows it</source>
   <translation>Nummer eines Schritts, der es zeigt</translation>
  </message>
  <message>
   <source>OSWorld traj.jsonl</source>
   <translation>OSWorld traj.jsonl</translation>
  </message>
  <message>
   <source>Oct</source>
   <translation>Okt.</translation>
  </message>
  <message>
   <source>Of any server that speaks OpenAI's protocol, with its /v1; empty for the service's own.</source>
   <translation>Von einem beliebigen Server, der das Protokoll von OpenAI spricht, mit /v1; leer für die des Dienstes.</translation>
  </message>
  <message>
   <source>Of everything in the windows, percent: 100 to 300; from the next start on.</source>
   <translation>Von allem in den Fenstern, in Prozent: 100 bis 300; ab dem nächsten Start.</translation>
  </message>
  <message>
   <source>Of two detections that overlap more, the weaker is dropped.</source>
   <translation>Von zwei Funden, die sich stärker überlappen, entfällt der schwächere.</translation>
  </message>
  <message>
   <source>Of {used} elements the models missed {missed}{missed_types} and mistook {mistaken}{mistaken_types}.</source>
   <translation>Von {used} Elementen haben die Modelle {missed} übersehen{missed_types} und {mistaken} verwechselt{mistaken_types}.</translation>
  </message>
  <message>
   <source>OmniParser's lists</source>
   <translation>Listen von OmniParser</translation>
  </message>
  <message>
   <source>On</source>
   <translation>Vor</translation>
  </message>
  <message>
   <source>On a Mac hold fn with F8 to F11, which are media keys otherwise.</source>
   <translation>Halten Sie auf einem Mac fn zu F8 bis F11 gedrückt; sonst sind es Medientasten.</translation>
  </message>
  <message>
   <source>On one step, several, or every demo</source>
   <translation>Auf einem Schritt, mehreren oder jeder Demo</translation>
  </message>
  <message>
   <source>On the last picture</source>
   <translation>Auf dem letzten Bild</translation>
  </message>
  <message>
   <source>On these steps the boxes are there already, or the pictures show something else in their place.</source>
   <translation>Auf diesen Schritten sind die Rahmen schon da, oder die Bilder zeigen an ihrer Stelle etwas anderes.</translation>
  </message>
  <message>
   <source>On this document</source>
   <translation>Auf diesem Dokument</translation>
  </message>
  <message>
   <source>On this screen several elements could be {what} beside “{text}”; nothing was clicked.</source>
   <translation>Auf diesem Bildschirm könnten mehrere Elemente {what} neben „{text}“ sein; es wurde nichts geklickt.</translation>
  </message>
  <message>
   <source>On this screen several elements could be {what}; nothing was clicked.</source>
   <translation>Auf diesem Bildschirm könnten mehrere Elemente {what} sein; es wurde nichts geklickt.</translation>
  </message>
  <message>
   <source>On this screen {what} beside “{text}” was not found; nothing was clicked.</source>
   <translation>Auf diesem Bildschirm wurde {what} neben „{text}“ nicht gefunden; es wurde nichts geklickt.</translation>
  </message>
  <message>
   <source>On this screen {what} was not found; nothing was clicked.</source>
   <translation>Auf diesem Bildschirm wurde {what} nicht gefunden; es wurde nichts geklickt.</translation>
  </message>
  <message>
   <source>On this screen {why}; nothing was selected.</source>
   <translation>Auf diesem Bildschirm: {why}; es wurde nichts markiert.</translation>
  </message>
  <message>
   <source>On this system single windows cannot be recorded yet.</source>
   <translation>Auf diesem System lassen sich einzelne Fenster noch nicht aufnehmen.</translation>
  </message>
  <message>
   <source>On validation screens</source>
   <translation>Auf Validierungsbildschirmen</translation>
  </message>
  <message>
   <source>On {pictures} of this demo.</source>
   <translation>Betrifft in dieser Demo: {pictures}.</translation>
  </message>
  <message>
   <source>Once for each of {rows} in {file}</source>
   <translation>Einmal für jede von {rows} in {file}</translation>
  </message>
  <message>
   <source>One line a demo with PyAutoGUI calls in fractions: what OpenCUA was trained on.</source>
   <translation>Eine Zeile je Demo mit PyAutoGUI-Aufrufen in Bruchteilen: womit OpenCUA trainiert wurde.</translation>
  </message>
  <message>
   <source>One list instead of a talk of whole answers</source>
   <translation>Eine Liste statt eines Gesprächs aus ganzen Antworten</translation>
  </message>
  <message>
   <source>One of them is a secret. </source>
   <translation>Eine davon ist ein Geheimnis. </translation>
  </message>
  <message>
   <source>One picture back</source>
   <translation>Ein Bild zurück</translation>
  </message>
  <message>
   <source>One picture on</source>
   <translation>Ein Bild weiter</translation>
  </message>
  <message>
   <source>One row a step, prompt and completion with its picture: the loss falls on the answers alone.</source>
   <translation>Eine Zeile je Schritt, Frage und Antwort mit Bild: Der Loss zählt nur die Antworten.</translation>
  </message>
  <message>
   <source>One row a step, the task as header and the action as text: for picture-to-text models.</source>
   <translation>Eine Zeile je Schritt, die Aufgabe als Kopf, die Aktion als Text: für Modelle von Bild zu Text.</translation>
  </message>
  <message>
   <source>One step a line</source>
   <translation>Ein Schritt je Zeile</translation>
  </message>
  <message>
   <source>One step alone cannot be merged.</source>
   <translation>Ein Schritt allein lässt sich nicht zusammenfügen.</translation>
  </message>
  <message>
   <source>One that tells nothing is named as you type in it.</source>
   <translation>Eines, das nichts sagt, wird genannt, während Sie darin tippen.</translation>
  </message>
  <message>
   <source>One window</source>
   <translation>Ein Fenster</translation>
  </message>
  <message>
   <source>Only a drag ends on an element.</source>
   <translation>Nur ein Ziehen endet auf einem Element.</translation>
  </message>
  <message>
   <source>Only clear edges count</source>
   <translation>Nur deutliche Kanten zählen</translation>
  </message>
  <message>
   <source>Only in the demo, and they stay: {elements}.</source>
   <translation>Nur in der Demo, und sie bleiben: {elements}.</translation>
  </message>
  <message>
   <source>Only once</source>
   <translation>Nur einmal</translation>
  </message>
  <message>
   <source>Only the first sees: {before}</source>
   <translation>Nur das erste sieht: {before}</translation>
  </message>
  <message>
   <source>Only the second sees: {after}</source>
   <translation>Nur das zweite sieht: {after}</translation>
  </message>
  <message>
   <source>Only they have {name}</source>
   <translation>Nur bei der anderen Person: {name}</translation>
  </message>
  <message>
   <source>Only this one selected</source>
   <translation>Nur dieses ausgewählt</translation>
  </message>
  <message>
   <source>Only typed text can be a variable.</source>
   <translation>Nur getippter Text kann eine Variable sein.</translation>
  </message>
  <message>
   <source>Only what changed</source>
   <translation>Nur Geändertes</translation>
  </message>
  <message>
   <source>Only where it looks the same</source>
   <translation>Nur wo es gleich aussieht</translation>
  </message>
  <message>
   <source>Only you have {name}</source>
   <translation>Nur bei dir: {name}</translation>
  </message>
  <message>
   <source>Only {free} GiB free: enough for a short recording.</source>
   <translation>Nur {free} GiB frei: genug für eine kurze Aufnahme.</translation>
  </message>
  <message>
   <source>Open</source>
   <translation>Offen</translation>
  </message>
  <message>
   <source>Open a demo</source>
   <translation>Eine Demo öffnen</translation>
  </message>
  <message>
   <source>Open a program in this desktop</source>
   <translation>Ein Programm in dieser Arbeitsfläche öffnen</translation>
  </message>
  <message>
   <source>Open demopack</source>
   <translation>demopack öffnen</translation>
  </message>
  <message>
   <source>Open folder</source>
   <translation>Ordner öffnen</translation>
  </message>
  <message>
   <source>Open in the editor at this step</source>
   <translation>Bei diesem Schritt im Editor öffnen</translation>
  </message>
  <message>
   <source>Open it</source>
   <translation>Öffnen</translation>
  </message>
  <message>
   <source>Open it now</source>
   <translation>Jetzt öffnen</translation>
  </message>
  <message>
   <source>Open its document and record</source>
   <translation>Ihr Dokument öffnen und aufnehmen</translation>
  </message>
  <message>
   <source>Open programs in it, or close its window first.</source>
   <translation>Öffnen Sie Programme darin, oder schließen Sie zuerst ihr Fenster.</translation>
  </message>
  <message>
   <source>Open the demo</source>
   <translation>Demo öffnen</translation>
  </message>
  <message>
   <source>Open the desktop, to prepare what you want to show</source>
   <translation>Die Arbeitsfläche öffnen, um vorzubereiten, was Sie zeigen wollen</translation>
  </message>
  <message>
   <source>Open the recorded window and replay again. Where a program gives its window another title each time, --unchecked-keys goes on.</source>
   <translation>Öffnen Sie das aufgenommene Fenster und wiederholen Sie noch einmal. Wo ein Programm seinem Fenster jedes Mal einen anderen Titel gibt, geht es mit --unchecked-keys weiter.</translation>
  </message>
  <message>
   <source>Open this demo</source>
   <translation>Diese Demo öffnen</translation>
  </message>
  <message>
   <source>Open {name} with accessibility</source>
   <translation>{name} mit Barrierefreiheit öffnen</translation>
  </message>
  <message>
   <source>OpenAI chat messages</source>
   <translation>OpenAI-Chat-Nachrichten</translation>
  </message>
  <message>
   <source>OpenAI, examples with computer calls</source>
   <translation>OpenAI, Beispiele mit Computer-Aufrufen</translation>
  </message>
  <message>
   <source>OpenAdapt Episode</source>
   <translation>OpenAdapt-Episode</translation>
  </message>
  <message>
   <source>Opening {name} …</source>
   <translation>{name} wird geöffnet …</translation>
  </message>
  <message>
   <source>Other demos are only searched.</source>
   <translation>Andere Demos werden nur durchsucht.</translation>
  </message>
  <message>
   <source>Other programs react to hot-keys, too, on this system.</source>
   <translation>Auf diesem System reagieren auch andere Programme auf Tastenkürzel.</translation>
  </message>
  <message>
   <source>Otherwise the rows after it are not begun</source>
   <translation>Sonst werden die Zeilen danach nicht begonnen</translation>
  </message>
  <message>
   <source>Outcome</source>
   <translation>Ergebnis</translation>
  </message>
  <message>
   <source>Overall</source>
   <translation>Gesamt</translation>
  </message>
  <message>
   <source>Overlap</source>
   <translation>Überlappung</translation>
  </message>
  <message>
   <source>Overview</source>
   <translation>Übersicht</translation>
  </message>
  <message>
   <source>Overview in the corner</source>
   <translation>Übersicht in der Ecke</translation>
  </message>
  <message>
   <source>Overview of the picture</source>
   <translation>Übersicht des Bildes</translation>
  </message>
  <message>
   <source>Overview: press to look there, or hide it</source>
   <translation>Übersicht: anklicken, um dorthin zu schauen, oder ausblenden</translation>
  </message>
  <message>
   <source>PROMPT FOR THIS STEP</source>
   <translation>PROMPT FÜR DIESEN SCHRITT</translation>
  </message>
  <message>
   <source>Pack written: {steps} steps in {folder}{warnings}.</source>
   <translation>Paket geschrieben: {steps} Schritte in {folder}{warnings}.</translation>
  </message>
  <message>
   <source>Pack {name}</source>
   <translation>Paket {name}</translation>
  </message>
  <message>
   <source>Panel</source>
   <translation>Seitenleiste</translation>
  </message>
  <message>
   <source>Panic pause</source>
   <translation>Notpause</translation>
  </message>
  <message>
   <source>Panic pause forgets</source>
   <translation>Notpause vergisst</translation>
  </message>
  <message>
   <source>Papers and peers</source>
   <translation>Aus Veröffentlichungen und anderen Projekten</translation>
  </message>
  <message>
   <source>Parquet with the pictures inside, one row a step: loads with one call and shows on the hub.</source>
   <translation>Parquet mit den Bildern darin, eine Zeile je Schritt: mit einem Aufruf geladen, auf dem Hub zu sehen.</translation>
  </message>
  <message>
   <source>Parts</source>
   <translation>Teile</translation>
  </message>
  <message>
   <source>Passed over: {name}; {why}.</source>
   <translation>Übergangen: {name}; {why}.</translation>
  </message>
  <message>
   <source>Passed over: {number} more pictures.</source>
   <translation>Übergangen: {number} weitere Bilder.</translation>
  </message>
  <message>
   <source>Passwords are left out where programs tell which fields hold them.</source>
   <translation>Passwörter werden ausgelassen, wo Programme verraten, welche Felder sie enthalten.</translation>
  </message>
  <message>
   <source>Passwords are stored</source>
   <translation>Passwörter im Klartext</translation>
  </message>
  <message>
   <source>Paste</source>
   <translation>Einfügen</translation>
  </message>
  <message>
   <source>Paste is typing</source>
   <translation>Einfügen ist Tippen</translation>
  </message>
  <message>
   <source>Paste {count} elements</source>
   <translation>{count} Elemente einfügen</translation>
  </message>
  <message>
   <source>Paste {one}</source>
   <translation>{one} einfügen</translation>
  </message>
  <message>
   <source>Paste, also on another picture</source>
   <translation>Einfügen, auch auf einem anderen Bild</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>Pause</translation>
  </message>
  <message>
   <source>Pause at once, and forget the last seconds and whatever was not yet saved.</source>
   <translation>Sofort pausieren und die letzten Sekunden sowie alles noch nicht Gespeicherte vergessen.</translation>
  </message>
  <message>
   <source>Pause before the next step</source>
   <translation>Vor dem nächsten Schritt anhalten</translation>
  </message>
  <message>
   <source>Pause before you type one.</source>
   <translation>Machen Sie Pause, bevor Sie eines tippen.</translation>
  </message>
  <message>
   <source>Pause or resume the recording.</source>
   <translation>Die Aufnahme pausieren oder fortsetzen.</translation>
  </message>
  <message>
   <source>Paused</source>
   <translation>Pausiert</translation>
  </message>
  <message>
   <source>Paused before step {number} of {total}</source>
   <translation>Pause vor Schritt {number} von {total}</translation>
  </message>
  <message>
   <source>Paused, no picture</source>
   <translation>Pause, kein Bild</translation>
  </message>
  <message>
   <source>Paused. {forgot}</source>
   <translation>Pausiert. {forgot}</translation>
  </message>
  <message>
   <source>Pausing after step {number} of {total}</source>
   <translation>Pause nach Schritt {number} von {total}</translation>
  </message>
  <message>
   <source>Perform this demo on the screen, step by step, and compare</source>
   <translation>Diese Demo Schritt für Schritt auf dem Bildschirm ausführen und vergleichen</translation>
  </message>
  <message>
   <source>Person</source>
   <translation>Mensch</translation>
  </message>
  <message>
   <source>Pick the target on the picture</source>
   <translation>Ziel auf dem Bild auswählen</translation>
  </message>
  <message>
   <source>Pick where it ends on the picture</source>
   <translation>Endpunkt auf dem Bild auswählen</translation>
  </message>
  <message>
   <source>Pick where the drag ends</source>
   <translation>Auswählen, wo das Ziehen endet</translation>
  </message>
  <message>
   <source>Picture</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>Picture in {seconds} s</source>
   <translation>Bild in {seconds} s</translation>
  </message>
  <message>
   <source>Picture now</source>
   <translation>Bild jetzt</translation>
  </message>
  <message>
   <source>Pictures</source>
   <translation>Bilder</translation>
  </message>
  <message>
   <source>Pictures of the screen and your input arrive, and every step so far is on the disk.</source>
   <translation>Bilder des Bildschirms und Eingaben kommen an, und jeder Schritt bis hierher ist gespeichert.</translation>
  </message>
  <message>
   <source>Pix2Struct, actions</source>
   <translation>Pix2Struct, Aktionen</translation>
  </message>
  <message>
   <source>Place</source>
   <translation>Einsetzen</translation>
  </message>
  <message>
   <source>Place {number} of the template “{name}”</source>
   <translation>{number} der Vorlage „{name}“ einsetzen</translation>
  </message>
  <message>
   <source>Placeholder</source>
   <translation>Platzhalter</translation>
  </message>
  <message>
   <source>Placeholder of the element</source>
   <translation>Platzhalter des Elements</translation>
  </message>
  <message>
   <source>Plan</source>
   <translation>Plan</translation>
  </message>
  <message>
   <source>Plan, one step a line</source>
   <translation>Plan, ein Schritt je Zeile</translation>
  </message>
  <message>
   <source>Play at the recorded speed</source>
   <translation>Mit aufgenommener Geschwindigkeit abspielen</translation>
  </message>
  <message>
   <source>Play the film</source>
   <translation>Film abspielen</translation>
  </message>
  <message>
   <source>Please report this with the details.</source>
   <translation>Bitte mit den Einzelheiten melden.</translation>
  </message>
  <message>
   <source>Point at</source>
   <translation>Zeigen auf</translation>
  </message>
  <message>
   <source>Point at {where}</source>
   <translation>Auf {where} zeigen</translation>
  </message>
  <message>
   <source>Pointed at</source>
   <translation>Gezeigt auf</translation>
  </message>
  <message>
   <source>Pointed at {where}</source>
   <translation>Auf {where} gezeigt</translation>
  </message>
  <message>
   <source>Pointer</source>
   <translation>Zeiger</translation>
  </message>
  <message>
   <source>Pointer and keys move as a person's do</source>
   <translation>Zeiger und Tasten bewegen sich wie bei einem Menschen</translation>
  </message>
  <message>
   <source>Pointer speed</source>
   <translation>Zeigergeschwindigkeit</translation>
  </message>
  <message>
   <source>Preparing the screens …</source>
   <translation>Die Bildschirme werden vorbereitet …</translation>
  </message>
  <message>
   <source>Press keys</source>
   <translation>Tasten drücken</translation>
  </message>
  <message>
   <source>Press the keys …</source>
   <translation>Tasten drücken …</translation>
  </message>
  <message>
   <source>Press {key}</source>
   <translation>{key} drücken</translation>
  </message>
  <message>
   <source>Press {key} in {where}</source>
   <translation>{key} in {where} drücken</translation>
  </message>
  <message>
   <source>Press {key} {times} times</source>
   <translation>{key} {times}-mal drücken</translation>
  </message>
  <message>
   <source>Press {key} {times} times in {where}</source>
   <translation>{key} {times}-mal in {where} drücken</translation>
  </message>
  <message>
   <source>Pressed {key}</source>
   <translation>{key} gedrückt</translation>
  </message>
  <message>
   <source>Pressed {key} in {where}</source>
   <translation>{key} in {where} gedrückt</translation>
  </message>
  <message>
   <source>Pressed {key} {times} times</source>
   <translation>{key} {times}-mal gedrückt</translation>
  </message>
  <message>
   <source>Pressed {key} {times} times in {where}</source>
   <translation>{key} {times}-mal in {where} gedrückt</translation>
  </message>
  <message>
   <source>Previous element</source>
   <translation>Vorheriges Element</translation>
  </message>
  <message>
   <source>Previous step</source>
   <translation>Vorheriger Schritt</translation>
  </message>
  <message>
   <source>Price of answers</source>
   <translation>Preis der Antworten</translation>
  </message>
  <message>
   <source>Price of questions</source>
   <translation>Preis der Anfragen</translation>
  </message>
  <message>
   <source>Privacy</source>
   <translation>Privates</translation>
  </message>
  <message>
   <source>Privacy settings</source>
   <translation>Einstellungen zu Privatem</translation>
  </message>
  <message>
   <source>Program</source>
   <translation>Programm</translation>
  </message>
  <message>
   <source>Programs</source>
   <translation>Programme</translation>
  </message>
  <message>
   <source>Programs are not asked about their fields: pause before you type a password.</source>
   <translation>Programme werden nicht nach ihren Feldern gefragt: vor der Eingabe eines Passworts pausieren.</translation>
  </message>
  <message>
   <source>Programs can be asked about their fields.</source>
   <translation>Programme lassen sich nach ihren Feldern fragen.</translation>
  </message>
  <message>
   <source>Programs can be asked, but {names} tells nothing, passwords included.</source>
   <translation>Programme können gefragt werden, aber {names} verrät nichts, auch keine Passwortfelder.</translation>
  </message>
  <message>
   <source>Programs do not tell which fields hold passwords. Everything you type is held back as a secret.</source>
   <translation>Programme sagen nicht, welche Felder Passwörter enthalten. Alles, was Sie tippen, wird als Geheimnis zurückgehalten.</translation>
  </message>
  <message>
   <source>Programs do not tell which fields hold passwords. What you type is stored, passwords too: hold it back or pause before you type one.</source>
   <translation>Programme sagen nicht, welche Felder Passwörter enthalten. Was Sie tippen, wird gespeichert, auch Passwörter: Halten Sie es zurück oder machen Sie Pause, bevor Sie eines tippen.</translation>
  </message>
  <message>
   <source>Programs no longer tell which fields hold passwords. Everything you type is held back as a secret now, until you say that it may be stored again.</source>
   <translation>Programme sagen nicht mehr, welche Felder Passwörter enthalten. Alles, was Sie tippen, wird nun als Geheimnis zurückgehalten, bis Sie sagen, dass es wieder gespeichert werden darf.</translation>
  </message>
  <message>
   <source>Programs no longer tell which fields hold passwords. What you type is stored, passwords too: hold it back or pause before you type one.</source>
   <translation>Programme sagen nicht mehr, welche Felder Passwörter enthalten. Was Sie tippen, wird gespeichert, auch Passwörter: Halten Sie es zurück oder machen Sie Pause, bevor Sie eines tippen.</translation>
  </message>
  <message>
   <source>Programs tell nothing about their fields, so passwords cannot be recognised.</source>
   <translation>Programme sagen nichts über ihre Felder, daher sind Passwörter nicht zu erkennen.</translation>
  </message>
  <message>
   <source>Programs that read this format take every demo for one that was done</source>
   <translation>Programme, die dieses Format lesen, halten jede Demo für gelungen</translation>
  </message>
  <message>
   <source>Programs there cannot be asked about their elements: dbus or at-spi2-core is missing.</source>
   <translation>Programme dort lassen sich nicht nach ihren Elementen fragen: dbus oder at-spi2-core fehlt.</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <source>Prompt</source>
   <translation>Prompt</translation>
  </message>
  <message>
   <source>Prompt for this step</source>
   <translation>Prompt für diesen Schritt</translation>
  </message>
  <message>
   <source>Prompt …</source>
   <translation>Prompt …</translation>
  </message>
  <message>
   <source>Push the picture</source>
   <translation>Bild verschieben</translation>
  </message>
  <message>
   <source>Pushing the pointer this close to a corner stops a replay, px.</source>
   <translation>Wird der Zeiger so nah an eine Ecke geschoben, hält die Wiedergabe an, px.</translation>
  </message>
  <message>
   <source>Put a document there.</source>
   <translation>Legen Sie dort ein Dokument ab.</translation>
  </message>
  <message>
   <source>Put a document with a name ending in {endings} there.</source>
   <translation>Legen Sie dort ein Dokument ab, dessen Name auf {endings} endet.</translation>
  </message>
  <message>
   <source>Put a value that holds the separator in double quotes.</source>
   <translation>Setzen Sie einen Wert, der das Trennzeichen enthält, in doppelte Anführungszeichen.</translation>
  </message>
  <message>
   <source>Put back what was changed to go on, or begin anew at the first row with --restart.</source>
   <translation>Machen Sie die Änderung rückgängig, um fortzufahren, oder beginnen Sie neu bei der ersten Zeile.</translation>
  </message>
  <message>
   <source>Put it elsewhere</source>
   <translation>Woanders einordnen</translation>
  </message>
  <message>
   <source>Put it in the place of the step's own</source>
   <translation>An die Stelle der eigenen des Schritts setzen</translation>
  </message>
  <message>
   <source>Put it into a folder that you may write to: --journal FILE.</source>
   <translation>Legen Sie die Tabelle in einen Ordner, in den Sie schreiben dürfen.</translation>
  </message>
  <message>
   <source>Put off on {day}</source>
   <translation>Zurückgestellt am {day}</translation>
  </message>
  <message>
   <source>Put the task at the end of the queue</source>
   <translation>Die Aufgabe ans Ende der Warteschlange stellen</translation>
  </message>
  <message>
   <source>Put the whole prompt on the clipboard</source>
   <translation>Den ganzen Prompt in die Zwischenablage legen</translation>
  </message>
  <message>
   <source>Put these boxes on the picture</source>
   <translation>Diese Rahmen auf das Bild setzen</translation>
  </message>
  <message>
   <source>Put this demo back on the list</source>
   <translation>Diese Demo zurück in die Liste setzen</translation>
  </message>
  <message>
   <source>Put this take in the place of its demo's old end</source>
   <translation>Diese Neuaufnahme an die Stelle des alten Endes der Demo setzen</translation>
  </message>
  <message>
   <source>Put this take in the place of its demo's old end; one undo takes it back</source>
   <translation>Diese Neuaufnahme an die Stelle des alten Endes ihrer Demo setzen; einmal Rückgängig nimmt es zurück</translation>
  </message>
  <message>
   <source>PyAutoGUI script</source>
   <translation>PyAutoGUI-Skript</translation>
  </message>
  <message>
   <source>Questions and answers of the UiPath planner, and a demo's steps as it keeps them.</source>
   <translation>Fragen und Antworten des UiPath-Planers, und die Schritte einer Demo, wie er sie aufbewahrt.</translation>
  </message>
  <message>
   <source>Qwen computer_use talks</source>
   <translation>Qwen-Gespräche mit computer_use</translation>
  </message>
  <message>
   <source>Qwen2.5-VL computer_use talks</source>
   <translation>Qwen2.5-VL-Gespräche mit computer_use</translation>
  </message>
  <message>
   <source>Rank again</source>
   <translation>Neu ordnen</translation>
  </message>
  <message>
   <source>Rationale</source>
   <translation>Begründung</translation>
  </message>
  <message>
   <source>Rationale: its fields</source>
   <translation>Begründung: ihre Felder</translation>
  </message>
  <message>
   <source>Rationales</source>
   <translation>Begründungen</translation>
  </message>
  <message>
   <source>Rationales that need a look</source>
   <translation>Begründungen, die anzusehen sind</translation>
  </message>
  <message>
   <source>Rationales …</source>
   <translation>Begründungen …</translation>
  </message>
  <message>
   <source>Rationales: write, check, compare</source>
   <translation>Begründungen: schreiben, prüfen, vergleichen</translation>
  </message>
  <message>
   <source>Re-record from step {value}</source>
   <translation>Neu aufnehmen ab Schritt {value}</translation>
  </message>
  <message>
   <source>Re-record from this step</source>
   <translation>Neu aufnehmen ab diesem Schritt</translation>
  </message>
  <message>
   <source>Read once more what it does, and start</source>
   <translation>Noch einmal lesen, was sie tut, und starten</translation>
  </message>
  <message>
   <source>Read something</source>
   <translation>Etwas auslesen</translation>
  </message>
  <message>
   <source>Read text</source>
   <translation>Text lesen</translation>
  </message>
  <message>
   <source>Read texts and icons of new boxes</source>
   <translation>Texte und Symbole neuer Rahmen lesen</translation>
  </message>
  <message>
   <source>Read {what}</source>
   <translation>{what} gelesen</translation>
  </message>
  <message>
   <source>Read {what} from {where}</source>
   <translation>{what} aus {where} gelesen</translation>
  </message>
  <message>
   <source>Reader of other scripts</source>
   <translation>Leser anderer Schriften</translation>
  </message>
  <message>
   <source>Reading annotations</source>
   <translation>Annotationen lesen</translation>
  </message>
  <message>
   <source>Reading the tasks …</source>
   <translation>Die Aufgaben werden gelesen …</translation>
  </message>
  <message>
   <source>Reading what was decided</source>
   <translation>Entscheidungen werden gelesen</translation>
  </message>
  <message>
   <source>Ready</source>
   <translation>Bereit</translation>
  </message>
  <message>
   <source>Recently deleted</source>
   <translation>Kürzlich gelöscht</translation>
  </message>
  <message>
   <source>Recently deleted demos</source>
   <translation>Kürzlich gelöschte Demos</translation>
  </message>
  <message>
   <source>Record</source>
   <translation>Aufnehmen</translation>
  </message>
  <message>
   <source>Record a new demo</source>
   <translation>Neue Demo aufnehmen</translation>
  </message>
  <message>
   <source>Record again</source>
   <translation>Noch einmal aufnehmen</translation>
  </message>
  <message>
   <source>Record again from this step on</source>
   <translation>Ab diesem Schritt noch einmal aufnehmen</translation>
  </message>
  <message>
   <source>Record again from this step on; the old steps stay in the history</source>
   <translation>Ab diesem Schritt noch einmal aufnehmen; die alten Schritte bleiben im Verlauf</translation>
  </message>
  <message>
   <source>Record in a desktop in a window: `demopack record --desktop`. Or log out and choose a session named “Xorg” or “X11” at the login screen, where there is one.</source>
   <translation>In einer Arbeitsfläche im Fenster aufnehmen: `demopack record --desktop`. Oder abmelden und am Anmeldebildschirm eine Sitzung namens „Xorg“ oder „X11“ wählen, wo es eine gibt.</translation>
  </message>
  <message>
   <source>Record in a window that is a whole desktop; the rest of your session is neither seen nor touched</source>
   <translation>In einem Fenster aufnehmen, das eine ganze Arbeitsfläche ist; der Rest der Sitzung wird weder gesehen noch berührt</translation>
  </message>
  <message>
   <source>Record this task</source>
   <translation>Diese Aufgabe aufnehmen</translation>
  </message>
  <message>
   <source>Record your first demo</source>
   <translation>Erste Demo aufnehmen</translation>
  </message>
  <message>
   <source>Record your own screen: leave --desktop out.</source>
   <translation>Nehmen Sie Ihren eigenen Bildschirm auf: Lassen Sie --desktop weg.</translation>
  </message>
  <message>
   <source>Recorded</source>
   <translation>Aufgenommen</translation>
  </message>
  <message>
   <source>Recorded in: {programs}</source>
   <translation>Aufgenommen in: {programs}</translation>
  </message>
  <message>
   <source>Recorded {count}</source>
   <translation>{count} aufgenommen</translation>
  </message>
  <message>
   <source>Recorded {count} in {value}</source>
   <translation>{count} in {value} aufgenommen</translation>
  </message>
  <message>
   <source>Recorded: {count_steps}. Is the task done?</source>
   <translation>Aufgenommen: {count_steps}. Ist die Aufgabe erledigt?</translation>
  </message>
  <message>
   <source>Recording</source>
   <translation>Aufnahme</translation>
  </message>
  <message>
   <source>Recording accepted</source>
   <translation>Aufnahme angenommen</translation>
  </message>
  <message>
   <source>Recording goes on when it is back.</source>
   <translation>Die Aufnahme geht weiter, wenn er wieder da ist.</translation>
  </message>
  <message>
   <source>Redo</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>Redo: {label}</source>
   <translation>Wiederholen: {label}</translation>
  </message>
  <message>
   <source>Region</source>
   <translation>Bereich</translation>
  </message>
  <message>
   <source>Reject</source>
   <translation>Ablehnen</translation>
  </message>
  <message>
   <source>Reject all that are shown</source>
   <translation>Alle gezeigten ablehnen</translation>
  </message>
  <message>
   <source>Reject all {below} below {least:.2f}</source>
   <translation>Alle {below} unter {least:.2f} ablehnen</translation>
  </message>
  <message>
   <source>Reject all {shown} that are shown</source>
   <translation>Alle {shown} gezeigten ablehnen</translation>
  </message>
  <message>
   <source>Reject by type</source>
   <translation>Nach Typ ablehnen</translation>
  </message>
  <message>
   <source>Reject every suggestion that is shown</source>
   <translation>Jeden gezeigten Vorschlag ablehnen</translation>
  </message>
  <message>
   <source>Reject them</source>
   <translation>Ablehnen</translation>
  </message>
  <message>
   <source>Reject {count} elements</source>
   <translation>{count} Elemente ablehnen</translation>
  </message>
  <message>
   <source>Reject {count} suggestions</source>
   <translation>{count} Vorschläge ablehnen</translation>
  </message>
  <message>
   <source>Reject {count} suggestions below {below:.2f}</source>
   <translation>{count} Vorschläge unter {below:.2f} ablehnen</translation>
  </message>
  <message>
   <source>Reject {count} suggestions of type {type}</source>
   <translation>{count} Vorschläge vom Typ {type} ablehnen</translation>
  </message>
  <message>
   <source>Reject {element}</source>
   <translation>{element} ablehnen</translation>
  </message>
  <message>
   <source>Reject {name}</source>
   <translation>{name} ablehnen</translation>
  </message>
  <message>
   <source>Reject {step}</source>
   <translation>{step} ablehnen</translation>
  </message>
  <message>
   <source>Reject, and go to the next</source>
   <translation>Ablehnen und weiter zum nächsten</translation>
  </message>
  <message>
   <source>Rejected</source>
   <translation>Abgelehnt</translation>
  </message>
  <message>
   <source>Rejected elements, too</source>
   <translation>Auch abgelehnte Elemente</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Remove 1 double</source>
   <translation>1 Dublette entfernen</translation>
  </message>
  <message>
   <source>Remove it, or import it anew.</source>
   <translation>Entfernen Sie sie, oder importieren Sie sie neu.</translation>
  </message>
  <message>
   <source>Remove the double of {one}</source>
   <translation>Dublette von {one} entfernen</translation>
  </message>
  <message>
   <source>Remove the doubles that have a tick, in one edit</source>
   <translation>Die angehakten Dubletten entfernen, in einer Bearbeitung</translation>
  </message>
  <message>
   <source>Remove the note on {step}</source>
   <translation>Notiz zu {step} entfernen</translation>
  </message>
  <message>
   <source>Remove this demo and its pictures from the disk</source>
   <translation>Diese Demo und ihre Bilder von der Festplatte entfernen</translation>
  </message>
  <message>
   <source>Remove what was just recorded from the disk for good.</source>
   <translation>Das zuletzt Aufgenommene endgültig von der Festplatte entfernen.</translation>
  </message>
  <message>
   <source>Remove {count} doubles</source>
   <translation>{count} Dubletten entfernen</translation>
  </message>
  <message>
   <source>Remove {count} doubles on {screens} screens</source>
   <translation>{count} Dubletten auf {screens} Bildschirmen entfernen</translation>
  </message>
  <message>
   <source>Remove {several} from {pictures}</source>
   <translation>{several} von {pictures} entfernen</translation>
  </message>
  <message>
   <source>Removed</source>
   <translation>Entfernt</translation>
  </message>
  <message>
   <source>Removed at step {number}</source>
   <translation>Entfernt bei Schritt {number}</translation>
  </message>
  <message>
   <source>Removed the {kind} {name}.</source>
   <translation>Entfernt: {kind} {name}.</translation>
  </message>
  <message>
   <source>Replace</source>
   <translation>Ersetzen</translation>
  </message>
  <message>
   <source>Replace all</source>
   <translation>Alle ersetzen</translation>
  </message>
  <message>
   <source>Replace every value that is not kept</source>
   <translation>Jeden Wert ersetzen, der nicht behalten wird</translation>
  </message>
  <message>
   <source>Replaced 1 private value.</source>
   <translation>1 privaten Wert ersetzt.</translation>
  </message>
  <message>
   <source>Replaced {number} private values.</source>
   <translation>{number} private Werte ersetzt.</translation>
  </message>
  <message>
   <source>Replacing what is private</source>
   <translation>Privates wird ersetzt</translation>
  </message>
  <message>
   <source>Replay</source>
   <translation>Wiedergabe</translation>
  </message>
  <message>
   <source>Replay in a recording desktop: `demopack replay --desktop`. Or log in with an X11 (Xorg) session.</source>
   <translation>Wiederholen Sie in einem Aufnahme-Desktop: `demopack replay --desktop`. Oder melden Sie sich mit einer X11-Sitzung (Xorg) an.</translation>
  </message>
  <message>
   <source>Replay on another display.</source>
   <translation>Wiederholen Sie auf einem anderen Bildschirm.</translation>
  </message>
  <message>
   <source>Requests at once</source>
   <translation>Gleichzeitige Anfragen</translation>
  </message>
  <message>
   <source>Resize {count} elements</source>
   <translation>Größe von {count} Elementen ändern</translation>
  </message>
  <message>
   <source>Resize {one}</source>
   <translation>Größe von {one} ändern</translation>
  </message>
  <message>
   <source>Restore</source>
   <translation>Wiederherstellen</translation>
  </message>
  <message>
   <source>Return to “{label}”</source>
   <translation>Zurück zu „{label}“</translation>
  </message>
  <message>
   <source>Review</source>
   <translation>Prüfung</translation>
  </message>
  <message>
   <source>Review of the element</source>
   <translation>Durchsicht des Elements</translation>
  </message>
  <message>
   <source>Review of the library</source>
   <translation>Durchsicht der Bibliothek</translation>
  </message>
  <message>
   <source>Review of the recording</source>
   <translation>Durchsicht der Aufnahme</translation>
  </message>
  <message>
   <source>Review of these elements</source>
   <translation>Durchsicht dieser Elemente</translation>
  </message>
  <message>
   <source>Reword the task</source>
   <translation>Aufgabe umformulieren</translation>
  </message>
  <message>
   <source>Right as it was</source>
   <translation>Unverändert richtig</translation>
  </message>
  <message>
   <source>Right button</source>
   <translation>Rechte Maustaste</translation>
  </message>
  <message>
   <source>Right-click {where}</source>
   <translation>{where} mit der rechten Taste anklicken</translation>
  </message>
  <message>
   <source>Right-clicked {where}</source>
   <translation>{where} mit der rechten Taste angeklickt</translation>
  </message>
  <message>
   <source>Row {row} failed; the rows after it were not begun.</source>
   <translation>Zeile {row} ist fehlgeschlagen; die Zeilen danach wurden nicht begonnen.</translation>
  </message>
  <message>
   <source>Row {row} of {total}</source>
   <translation>Zeile {row} von {total}</translation>
  </message>
  <message>
   <source>Row {row}: {words}</source>
   <translation>Zeile {row}: {words}</translation>
  </message>
  <message>
   <source>Rows for reinforcement learning, with a reward function</source>
   <translation>Zeilen für bestärkendes Lernen, mit einer Belohnungsfunktion</translation>
  </message>
  <message>
   <source>Rows of the table</source>
   <translation>Zeilen der Tabelle</translation>
  </message>
  <message>
   <source>Rows that were done before are done again; what was done so far is kept in a file beside the table</source>
   <translation>Schon erledigte Zeilen werden noch einmal ausgeführt; was bisher erledigt war, bleibt in einer Datei neben der Tabelle erhalten</translation>
  </message>
  <message>
   <source>Rule</source>
   <translation>Regel</translation>
  </message>
  <message>
   <source>Rules</source>
   <translation>Regeln</translation>
  </message>
  <message>
   <source>Run</source>
   <translation>Durchlauf</translation>
  </message>
  <message>
   <source>Run it in a desktop session, or on a private X server such as Xvfb.</source>
   <translation>Starten Sie es in einer Desktop-Sitzung oder auf einem eigenen X-Server wie Xvfb.</translation>
  </message>
  <message>
   <source>Run it in a desktop session; on macOS allow it under Privacy &amp; Security, Accessibility.</source>
   <translation>Starten Sie es in einer Desktop-Sitzung; unter macOS erlauben Sie es unter Datenschutz &amp; Sicherheit, Bedienungshilfen.</translation>
  </message>
  <message>
   <source>Running</source>
   <translation>Läuft</translation>
  </message>
  <message>
   <source>SKILL.md</source>
   <translation>SKILL.md</translation>
  </message>
  <message>
   <source>SPLIT THE STEP</source>
   <translation>SCHRITT TEILEN</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>Save it as “CSV UTF-8”.</source>
   <translation>Speichern Sie sie als „CSV UTF-8“.</translation>
  </message>
  <message>
   <source>Saved</source>
   <translation>Gespeichert</translation>
  </message>
  <message>
   <source>Saved the template “{name}”</source>
   <translation>Vorlage „{name}“ gespeichert</translation>
  </message>
  <message>
   <source>Saved; it counts from the next recording on</source>
   <translation>Gespeichert; es gilt ab der nächsten Aufnahme</translation>
  </message>
  <message>
   <source>Saved; it counts from the next start on</source>
   <translation>Gespeichert; es gilt ab dem nächsten Start</translation>
  </message>
  <message>
   <source>Saves the selection: {boxes}.</source>
   <translation>Speichert die Auswahl: {boxes}.</translation>
  </message>
  <message>
   <source>Saving</source>
   <translation>Wird gespeichert</translation>
  </message>
  <message>
   <source>Saving …</source>
   <translation>Wird gespeichert …</translation>
  </message>
  <message>
   <source>Say above the steps whether the task was finished or failed.</source>
   <translation>Über den Schritten angeben, ob die Aufgabe erledigt wurde oder fehlschlug.</translation>
  </message>
  <message>
   <source>Say what is read.</source>
   <translation>Angeben, was ausgelesen wird.</translation>
  </message>
  <message>
   <source>Screen Recording allowed</source>
   <translation>Bildschirmaufnahme erlaubt</translation>
  </message>
  <message>
   <source>Screens</source>
   <translation>Bildschirme</translation>
  </message>
  <message>
   <source>Screens that were reviewed, from which an approved step begins, or that their programs reported</source>
   <translation>Bildschirme, die geprüft wurden, von denen ein bestätigter Schritt ausgeht oder die ihre Programme angegeben haben</translation>
  </message>
  <message>
   <source>Screens with changes</source>
   <translation>Bildschirme mit Änderungen</translation>
  </message>
  <message>
   <source>Screens: {screens}.</source>
   <translation>Bildschirme: {screens}.</translation>
  </message>
  <message>
   <source>Screenshot</source>
   <translation>Bildschirmfoto</translation>
  </message>
  <message>
   <source>Scroll</source>
   <translation>Scrollen</translation>
  </message>
  <message>
   <source>Scroll pause</source>
   <translation>Scroll-Pause</translation>
  </message>
  <message>
   <source>Scroll {way} by {steps}</source>
   <translation>Um {steps} nach {way} rollen</translation>
  </message>
  <message>
   <source>Scroll {way} by {steps} in {where}</source>
   <translation>In {where} um {steps} nach {way} rollen</translation>
  </message>
  <message>
   <source>Scrolled {way} by {steps}</source>
   <translation>Um {steps} nach {way} gerollt</translation>
  </message>
  <message>
   <source>Scrolled {way} by {steps} in {where}</source>
   <translation>In {where} um {steps} nach {way} gerollt</translation>
  </message>
  <message>
   <source>Search all of these screens, also those that were searched</source>
   <translation>Alle diese Bildschirme durchsuchen, auch die schon durchsuchten</translation>
  </message>
  <message>
   <source>Search demos</source>
   <translation>Demos durchsuchen</translation>
  </message>
  <message>
   <source>Search elements</source>
   <translation>Elemente durchsuchen</translation>
  </message>
  <message>
   <source>Search settings</source>
   <translation>Einstellungen durchsuchen</translation>
  </message>
  <message>
   <source>Search tasks</source>
   <translation>Aufgaben suchen</translation>
  </message>
  <message>
   <source>Search the demos</source>
   <translation>Demos durchsuchen</translation>
  </message>
  <message>
   <source>Search the elements</source>
   <translation>Die Elemente durchsuchen</translation>
  </message>
  <message>
   <source>Search the keys</source>
   <translation>Tasten durchsuchen</translation>
  </message>
  <message>
   <source>Search the screens that were not searched yet</source>
   <translation>Die noch nicht durchsuchten Bildschirme durchsuchen</translation>
  </message>
  <message>
   <source>Search what is left of the search that was stopped</source>
   <translation>Durchsuchen, was von der angehaltenen Suche übrig ist</translation>
  </message>
  <message>
   <source>Searched {screens} of {whole} screens in {demos} demos; elements there now: {elements}.</source>
   <translation>{screens} von {whole} Bildschirmen in {demos} Demos durchsucht; Elemente dort jetzt: {elements}.</translation>
  </message>
  <message>
   <source>Searched {screens} of {whole} screens; elements there now: {elements}.</source>
   <translation>{screens} von {whole} Bildschirmen durchsucht; Elemente dort jetzt: {elements}.</translation>
  </message>
  <message>
   <source>Second</source>
   <translation>Zweites</translation>
  </message>
  <message>
   <source>Second model</source>
   <translation>Zweites Modell</translation>
  </message>
  <message>
   <source>Second opinion</source>
   <translation>Zweite Meinung</translation>
  </message>
  <message>
   <source>Seconds</source>
   <translation>Sekunden</translation>
  </message>
  <message>
   <source>Secure input</source>
   <translation>Sichere Eingabe</translation>
  </message>
  <message>
   <source>Secure input is on: no program sees what is typed, and hot-keys do nothing.</source>
   <translation>Die sichere Eingabe ist an: Kein Programm sieht, was getippt wird, und Tastenkürzel bewirken nichts.</translation>
  </message>
  <message>
   <source>Secure input is on: what is typed does not arrive, and hot-keys do nothing.</source>
   <translation>Die sichere Eingabe ist an: Was getippt wird, kommt nicht an, und Tastenkürzel bewirken nichts.</translation>
  </message>
  <message>
   <source>See to the field: something may have stood there before, or it does not take the value.</source>
   <translation>Sehen Sie sich das Feld an: Vielleicht stand dort schon etwas, oder es nimmt den Wert nicht an.</translation>
  </message>
  <message>
   <source>Seen</source>
   <translation>Gesehen</translation>
  </message>
  <message>
   <source>Sees pictures</source>
   <translation>Sieht Bilder</translation>
  </message>
  <message>
   <source>Select a box to tighten.</source>
   <translation>Einen Rahmen auswählen, der angepasst werden soll.</translation>
  </message>
  <message>
   <source>Select all</source>
   <translation>Alles auswählen</translation>
  </message>
  <message>
   <source>Select all boxes that are shown</source>
   <translation>Alle gezeigten Rahmen auswählen</translation>
  </message>
  <message>
   <source>Select an element on the picture, press Use as target, and try again.</source>
   <translation>Auf dem Bild ein Element auswählen, „Als Ziel nehmen“ drücken und es noch einmal versuchen.</translation>
  </message>
  <message>
   <source>Select an element that would have been as right as the target, and press Shift+U.</source>
   <translation>Ein Element auswählen, das so richtig gewesen wäre wie das Ziel, und Umschalt+U drücken.</translation>
  </message>
  <message>
   <source>Select an element; then this key selects what is like it.</source>
   <translation>Zuerst ein Element auswählen; dann wählt diese Taste aus, was ihm gleicht.</translation>
  </message>
  <message>
   <source>Select another one that would be as right.</source>
   <translation>Ein anderes auswählen, das so richtig wäre.</translation>
  </message>
  <message>
   <source>Select boxes first</source>
   <translation>Zuerst Rahmen auswählen</translation>
  </message>
  <message>
   <source>Select boxes to copy.</source>
   <translation>Rahmen auswählen, die kopiert werden sollen.</translation>
  </message>
  <message>
   <source>Select it together with its neighbour.</source>
   <translation>Zusammen mit dem Nachbarschritt auswählen.</translation>
  </message>
  <message>
   <source>Select one box to split.</source>
   <translation>Einen Rahmen auswählen, der geteilt werden soll.</translation>
  </message>
  <message>
   <source>Select several</source>
   <translation>Mehrere auswählen</translation>
  </message>
  <message>
   <source>Select several steps</source>
   <translation>Mehrere Schritte auswählen</translation>
  </message>
  <message>
   <source>Select steps that follow each other.</source>
   <translation>Aufeinanderfolgende Schritte auswählen.</translation>
  </message>
  <message>
   <source>Select two or more boxes to merge.</source>
   <translation>Zwei oder mehr Rahmen auswählen, die zusammengefügt werden sollen.</translation>
  </message>
  <message>
   <source>Select what is like it; again: wider</source>
   <translation>Gleiches auswählen; nochmals: weiter gefasst</translation>
  </message>
  <message>
   <source>Select what it encloses</source>
   <translation>Auswählen, was umschlossen wird</translation>
  </message>
  <message>
   <source>Select {count} boxes at most.</source>
   <translation>Höchstens {count} Rahmen auswählen.</translation>
  </message>
  <message>
   <source>Send keys unchecked</source>
   <translation>Tasten ungeprüft senden</translation>
  </message>
  <message>
   <source>Sep</source>
   <translation>Sept.</translation>
  </message>
  <message>
   <source>Service and model, for instance openai:gpt-5-mini or ollama:qwen2.5vl:7b; empty for none.</source>
   <translation>Dienst und Modell, zum Beispiel openai:gpt-5-mini oder ollama:qwen2.5vl:7b; leer für keines.</translation>
  </message>
  <message>
   <source>Set all back</source>
   <translation>Alle zurücksetzen</translation>
  </message>
  <message>
   <source>Set aside</source>
   <translation>Beiseitelegen</translation>
  </message>
  <message>
   <source>Set aside, or restore</source>
   <translation>Beiseitelegen oder zurückholen</translation>
  </message>
  <message>
   <source>Set attributes by keyboard, or end it</source>
   <translation>Attribute mit der Tastatur setzen oder damit aufhören</translation>
  </message>
  <message>
   <source>Set the X server to a depth of 24.</source>
   <translation>Stellen Sie den X-Server auf eine Farbtiefe von 24.</translation>
  </message>
  <message>
   <source>Set the placeholder of {element} to “{value}”</source>
   <translation>Platzhalter von {element} auf „{value}“ setzen</translation>
  </message>
  <message>
   <source>Set the subtype of {element} to “{value}”</source>
   <translation>Untertyp von {element} auf „{value}“ setzen</translation>
  </message>
  <message>
   <source>Set the text of {element} to “{value}”</source>
   <translation>Text von {element} auf „{value}“ setzen</translation>
  </message>
  <message>
   <source>Set {title} back</source>
   <translation>{title} zurücksetzen</translation>
  </message>
  <message>
   <source>Settings</source>
   <translation>Einstellungen</translation>
  </message>
  <message>
   <source>Settle time-out</source>
   <translation>Längste Wartezeit</translation>
  </message>
  <message>
   <source>Several elements lie under the pointer.</source>
   <translation>Mehrere Elemente liegen unter dem Zeiger.</translation>
  </message>
  <message>
   <source>Several elements lie where the drag ended.</source>
   <translation>Mehrere Elemente liegen dort, wo das Ziehen endete.</translation>
  </message>
  <message>
   <source>Several steps</source>
   <translation>Mehrere Schritte</translation>
  </message>
  <message>
   <source>Shards that are read in one stream, a picture and its row a step.</source>
   <translation>Teile, die in einem Strom gelesen werden, je Schritt ein Bild und seine Zeile.</translation>
  </message>
  <message>
   <source>Share of equal pixels that counts as the recorded screen.</source>
   <translation>Anteil gleicher Pixel, ab dem es als der aufgenommene Bildschirm gilt.</translation>
  </message>
  <message>
   <source>Share of the time that is spent</source>
   <translation>Anteil der verbrauchten Zeit</translation>
  </message>
  <message>
   <source>ShareGPT messages with dataset_info.json</source>
   <translation>ShareGPT-Nachrichten mit dataset_info.json</translation>
  </message>
  <message>
   <source>Shift</source>
   <translation>Umschalt</translation>
  </message>
  <message>
   <source>Shift and drag</source>
   <translation>Umschalt und ziehen</translation>
  </message>
  <message>
   <source>Shorter side in pixels</source>
   <translation>Kürzere Seite in Pixeln</translation>
  </message>
  <message>
   <source>Shot delay</source>
   <translation>Bildverzögerung</translation>
  </message>
  <message>
   <source>Shot in {countdown} s</source>
   <translation>Bild in {countdown} s</translation>
  </message>
  <message>
   <source>Show</source>
   <translation>Zeigen</translation>
  </message>
  <message>
   <source>Show less sure ones</source>
   <translation>Weniger sichere zeigen</translation>
  </message>
  <message>
   <source>Show once how a task is done. Every click and key becomes a step with its screenshot.</source>
   <translation>Einmal zeigen, wie eine Aufgabe erledigt wird. Jeder Klick und jede Taste wird zu einem Schritt mit Bildschirmfoto.</translation>
  </message>
  <message>
   <source>Show only rows that hold these words</source>
   <translation>Nur Zeilen mit diesen Wörtern zeigen</translation>
  </message>
  <message>
   <source>Show only these on the picture too</source>
   <translation>Auch auf dem Bild nur diese zeigen</translation>
  </message>
  <message>
   <source>Show only what has these words, or this key</source>
   <translation>Nur zeigen, was diese Wörter oder diese Taste hat</translation>
  </message>
  <message>
   <source>Show or hide the film</source>
   <translation>Film ein- oder ausblenden</translation>
  </message>
  <message>
   <source>Show or hide the history</source>
   <translation>Verlauf zeigen oder verbergen</translation>
  </message>
  <message>
   <source>Show or hide the panel</source>
   <translation>Seitenleiste ein- oder ausblenden</translation>
  </message>
  <message>
   <source>Show or hide the review</source>
   <translation>Durchsicht ein- oder ausblenden</translation>
  </message>
  <message>
   <source>Show or hide the statistics</source>
   <translation>Statistik zeigen oder ausblenden</translation>
  </message>
  <message>
   <source>Show or hide the steps</source>
   <translation>Schritte ein- oder ausblenden</translation>
  </message>
  <message>
   <source>Show surer ones only</source>
   <translation>Nur sicherere zeigen</translation>
  </message>
  <message>
   <source>Show the bar</source>
   <translation>Leiste zeigen</translation>
  </message>
  <message>
   <source>Show the next doubtful step</source>
   <translation>Nächsten zweifelhaften Schritt zeigen</translation>
  </message>
  <message>
   <source>Show the picture before the step, and choose there.</source>
   <translation>Das Bild vor dem Schritt zeigen und dort wählen.</translation>
  </message>
  <message>
   <source>Show the statistics</source>
   <translation>Statistik zeigen</translation>
  </message>
  <message>
   <source>Show the steps</source>
   <translation>Schritte zeigen</translation>
  </message>
  <message>
   <source>Show the task that waits for a person</source>
   <translation>Die Aufgabe zeigen, die auf jemanden wartet</translation>
  </message>
  <message>
   <source>Show the tour</source>
   <translation>Führung zeigen</translation>
  </message>
  <message>
   <source>Show these elements: {search}</source>
   <translation>Diese Elemente zeigen: {search}</translation>
  </message>
  <message>
   <source>Show what a person drew</source>
   <translation>Zeigen, was ein Mensch gezeichnet hat</translation>
  </message>
  <message>
   <source>Show what a report needs</source>
   <translation>Zeigen, was für eine Meldung nötig ist</translation>
  </message>
  <message>
   <source>Show what changed</source>
   <translation>Änderungen zeigen</translation>
  </message>
  <message>
   <source>Show what it was about on the picture</source>
   <translation>Auf dem Bild zeigen, worum es ging</translation>
  </message>
  <message>
   <source>Show what rules found by outlines, lines and gaps</source>
   <translation>Zeigen, was Regeln an Umrissen, Zeilen und Abständen gefunden haben</translation>
  </message>
  <message>
   <source>Show what the detector found</source>
   <translation>Zeigen, was der Detektor gefunden hat</translation>
  </message>
  <message>
   <source>Show what the programs told</source>
   <translation>Zeigen, was die Programme angegeben haben</translation>
  </message>
  <message>
   <source>Show what the writer saw, expected and found</source>
   <translation>Zeigen, was der Verfasser sah, erwartete und vorfand</translation>
  </message>
  <message>
   <source>Show what was carried over to where something changed</source>
   <translation>Zeigen, was dorthin übernommen wurde, wo sich etwas geändert hat</translation>
  </message>
  <message>
   <source>Show what was read by OCR</source>
   <translation>Zeigen, was OCR gelesen hat</translation>
  </message>
  <message>
   <source>Show what was recorded</source>
   <translation>Zeigen, was aufgenommen wurde</translation>
  </message>
  <message>
   <source>Side</source>
   <translation>Rolle</translation>
  </message>
  <message>
   <source>Side by side</source>
   <translation>Nebeneinander</translation>
  </message>
  <message>
   <source>Since I opened it</source>
   <translation>Seit dem Öffnen</translation>
  </message>
  <message>
   <source>Since a time…</source>
   <translation>Seit einem Zeitpunkt…</translation>
  </message>
  <message>
   <source>Since this time</source>
   <translation>Seit diesem Zeitpunkt</translation>
  </message>
  <message>
   <source>Since when</source>
   <translation>Seit wann</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>Größe</translation>
  </message>
  <message>
   <source>Size of reports</source>
   <translation>Größe der Angaben</translation>
  </message>
  <message>
   <source>Skip</source>
   <translation>Überspringen</translation>
  </message>
  <message>
   <source>Skip (Esc)</source>
   <translation>Überspringen (Esc)</translation>
  </message>
  <message>
   <source>Slowly, to follow it</source>
   <translation>Langsam, zum Mitverfolgen</translation>
  </message>
  <message>
   <source>Snap to edges</source>
   <translation>An Kanten einrasten</translation>
  </message>
  <message>
   <source>Snap to edges, or not</source>
   <translation>An Kanten einrasten oder nicht</translation>
  </message>
  <message>
   <source>So many tokens the prompt may have, about</source>
   <translation>So viele Token darf der Prompt etwa haben</translation>
  </message>
  <message>
   <source>Some input was left out because this machine is too busy. A step may be missing.</source>
   <translation>Einige Eingaben fehlen, weil dieser Rechner überlastet ist. Ein Schritt kann fehlen.</translation>
  </message>
  <message>
   <source>Somebody should look again</source>
   <translation>Es sollte noch einmal angesehen werden</translation>
  </message>
  <message>
   <source>Somebody should look at it again</source>
   <translation>Jemand sollte es noch einmal ansehen</translation>
  </message>
  <message>
   <source>Something that was done</source>
   <translation>Etwas, das getan wurde</translation>
  </message>
  <message>
   <source>Something was done to it</source>
   <translation>Etwas wurde damit getan</translation>
  </message>
  <message>
   <source>Something went wrong inside demopack. Everything saved so far is kept.</source>
   <translation>In demopack ist etwas schiefgegangen. Alles bisher Gespeicherte bleibt erhalten.</translation>
  </message>
  <message>
   <source>Sort by how sure the finder is</source>
   <translation>Nach Sicherheit des Finders sortieren</translation>
  </message>
  <message>
   <source>Sort by reading order</source>
   <translation>Nach Leserichtung sortieren</translation>
  </message>
  <message>
   <source>Sort by review</source>
   <translation>Nach Durchsicht sortieren</translation>
  </message>
  <message>
   <source>Sort by states</source>
   <translation>Nach Zuständen sortieren</translation>
  </message>
  <message>
   <source>Sort by text</source>
   <translation>Nach Text sortieren</translation>
  </message>
  <message>
   <source>Sort by type</source>
   <translation>Nach Typ sortieren</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>Quelle</translation>
  </message>
  <message>
   <source>Sources</source>
   <translation>Quellen</translation>
  </message>
  <message>
   <source>Space approve   F1 keys</source>
   <translation>Leertaste freigeben   F1 Tasten</translation>
  </message>
  <message>
   <source>Split</source>
   <translation>Teilen</translation>
  </message>
  <message>
   <source>Split at the pointer, or at the widest gap</source>
   <translation>Am Zeiger oder an der breitesten Lücke teilen</translation>
  </message>
  <message>
   <source>Split the other way</source>
   <translation>In der anderen Richtung teilen</translation>
  </message>
  <message>
   <source>Split the step</source>
   <translation>Schritt teilen</translation>
  </message>
  <message>
   <source>Split the text before or after it.</source>
   <translation>Den Text davor oder dahinter teilen.</translation>
  </message>
  <message>
   <source>Split {one} into {count}</source>
   <translation>{one} in {count} teilen</translation>
  </message>
  <message>
   <source>Split {step}</source>
   <translation>{step} teilen</translation>
  </message>
  <message>
   <source>Start</source>
   <translation>Starten</translation>
  </message>
  <message>
   <source>Start a new one.</source>
   <translation>Beginnen Sie eine neue.</translation>
  </message>
  <message>
   <source>Start a new recording, and report what you did when it happened.</source>
   <translation>Beginnen Sie eine neue Aufnahme und melden Sie, was Sie taten, als es geschah.</translation>
  </message>
  <message>
   <source>Start a new recording.</source>
   <translation>Beginnen Sie eine neue Aufnahme.</translation>
  </message>
  <message>
   <source>Start a program</source>
   <translation>Programm starten</translation>
  </message>
  <message>
   <source>Start demopack from a desktop session, or set DISPLAY to a running X server.</source>
   <translation>Starten Sie demopack in einer Desktop-Sitzung oder setzen Sie DISPLAY auf einen laufenden X-Server.</translation>
  </message>
  <message>
   <source>Start demopack inside a desktop session.</source>
   <translation>Starten Sie demopack in einer Desktop-Sitzung.</translation>
  </message>
  <message>
   <source>Start demopack with the same rights.</source>
   <translation>Starten Sie demopack mit denselben Rechten.</translation>
  </message>
  <message>
   <source>Start it as the user who is logged in there, or allow it with xhost or XAUTHORITY. {way_out}</source>
   <translation>Als der dort angemeldete Benutzer starten oder es mit xhost oder XAUTHORITY erlauben. {way_out}</translation>
  </message>
  <message>
   <source>Start it in a terminal of your desktop session.</source>
   <translation>Starten Sie es in einem Terminal Ihrer Sitzung.</translation>
  </message>
  <message>
   <source>Start it with `demopack launch {name}`: a new window with a profile of its own.</source>
   <translation>Starten Sie es mit `demopack launch {name}`: ein neues Fenster mit einem eigenen Profil.</translation>
  </message>
  <message>
   <source>Start or stop</source>
   <translation>Starten oder beenden</translation>
  </message>
  <message>
   <source>Start or stop a recording.</source>
   <translation>Eine Aufnahme starten oder beenden.</translation>
  </message>
  <message>
   <source>Start recording</source>
   <translation>Aufnahme starten</translation>
  </message>
  <message>
   <source>Start the recording first.</source>
   <translation>Starten Sie zuerst die Aufnahme.</translation>
  </message>
  <message>
   <source>Start the replay again, when this program's windows answer.</source>
   <translation>Starten Sie die Wiederholung noch einmal, wenn die Fenster dieses Programms antworten.</translation>
  </message>
  <message>
   <source>Start training</source>
   <translation>Training starten</translation>
  </message>
  <message>
   <source>Start {app}</source>
   <translation>{app} starten</translation>
  </message>
  <message>
   <source>Started in a terminal.</source>
   <translation>In einem Terminal gestartet.</translation>
  </message>
  <message>
   <source>Started in a terminal; {spent} spent when it last reported.</source>
   <translation>In einem Terminal gestartet; laut letzter Meldung {spent} verbraucht.</translation>
  </message>
  <message>
   <source>Started {app}</source>
   <translation>{app} gestartet</translation>
  </message>
  <message>
   <source>Starting in {seconds} s</source>
   <translation>Start in {seconds} s</translation>
  </message>
  <message>
   <source>Starting the training</source>
   <translation>Training wird gestartet</translation>
  </message>
  <message>
   <source>Starting …</source>
   <translation>Wird gestartet …</translation>
  </message>
  <message>
   <source>State</source>
   <translation>Stand</translation>
  </message>
  <message>
   <source>States</source>
   <translation>Zustände</translation>
  </message>
  <message>
   <source>States by keyboard</source>
   <translation>Zustände mit der Tastatur</translation>
  </message>
  <message>
   <source>Statistics</source>
   <translation>Statistik</translation>
  </message>
  <message>
   <source>Statistics of the library</source>
   <translation>Statistik der Bibliothek</translation>
  </message>
  <message>
   <source>Statistics of the tasks</source>
   <translation>Statistik der Aufgaben</translation>
  </message>
  <message>
   <source>Statistics of this demo</source>
   <translation>Statistik dieser Demo</translation>
  </message>
  <message>
   <source>Status</source>
   <translation>Status</translation>
  </message>
  <message>
   <source>Step</source>
   <translation>Schritt</translation>
  </message>
  <message>
   <source>Step {number}</source>
   <translation>Schritt {number}</translation>
  </message>
  <message>
   <source>Step {number} hits no element now.</source>
   <translation>Schritt {number} trifft jetzt kein Element.</translation>
  </message>
  <message>
   <source>Step {number} is empty.</source>
   <translation>Schritt {number} ist leer.</translation>
  </message>
  <message>
   <source>Step {number} is now: {done}.</source>
   <translation>Schritt {number} ist jetzt: {done}.</translation>
  </message>
  <message>
   <source>Step {number} of {total}</source>
   <translation>Schritt {number} von {total}</translation>
  </message>
  <message>
   <source>Step {number} was done without its control “{control}”.</source>
   <translation>Schritt {number} wurde ohne sein Bedienelement „{control}“ ausgeführt.</translation>
  </message>
  <message>
   <source>Step {number} was not performed.</source>
   <translation>Schritt {number} wurde nicht ausgeführt.</translation>
  </message>
  <message>
   <source>Step {number} was not successful.</source>
   <translation>Schritt {number} ist nicht gelungen.</translation>
  </message>
  <message>
   <source>Step {number}: {command}</source>
   <translation>Schritt {number}: {command}</translation>
  </message>
  <message>
   <source>Step {number}: {join}</source>
   <translation>Schritt {number}: {join}</translation>
  </message>
  <message>
   <source>Step {step} is done to “{text}”, and the value that stands there now is empty.</source>
   <translation>Schritt {step} gilt „{text}“, und der Wert, der jetzt dort steht, ist leer.</translation>
  </message>
  <message>
   <source>Step {step} is done to “{text}”, the value of two variables that differ from now on.</source>
   <translation>Schritt {step} gilt „{text}“, dem Wert zweier Variablen, die sich von nun an unterscheiden.</translation>
  </message>
  <message>
   <source>Step {step} · {spent} spent</source>
   <translation>Schritt {step} · {spent} verbraucht</translation>
  </message>
  <message>
   <source>Step {step}: </source>
   <translation>Schritt {step}: </translation>
  </message>
  <message>
   <source>Step {value} of {steps}</source>
   <translation>Schritt {value} von {steps}</translation>
  </message>
  <message>
   <source>Step {value}: {words_of}, {value2}</source>
   <translation>Schritt {value}: {words_of}, {value2}</translation>
  </message>
  <message>
   <source>Steps</source>
   <translation>Schritte</translation>
  </message>
  <message>
   <source>Steps approved</source>
   <translation>Freigegebene Schritte</translation>
  </message>
  <message>
   <source>Steps of the demo</source>
   <translation>Schritte der Demo</translation>
  </message>
  <message>
   <source>Steps of the replay</source>
   <translation>Schritte der Wiederholung</translation>
  </message>
  <message>
   <source>Steps on this document</source>
   <translation>Schritte auf diesem Dokument</translation>
  </message>
  <message>
   <source>Steps say that something was typed, and not what; the bar can change that later</source>
   <translation>Die Schritte sagen, dass etwas getippt wurde, und nicht was; das lässt sich später an der Leiste ändern</translation>
  </message>
  <message>
   <source>Steps so far</source>
   <translation>Schritte bisher</translation>
  </message>
  <message>
   <source>Steps {number} to {last}</source>
   <translation>Schritte {number} bis {last}</translation>
  </message>
  <message>
   <source>Steps: {steps}, screens: {screens}</source>
   <translation>Schritte: {steps}, Bildschirme: {screens}</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <source>Stop a replay at once.</source>
   <translation>Eine Wiedergabe sofort abbrechen.</translation>
  </message>
  <message>
   <source>Stop and save</source>
   <translation>Beenden und speichern</translation>
  </message>
  <message>
   <source>Stop at the next step, with a checkpoint</source>
   <translation>Beim nächsten Schritt anhalten, mit einem Checkpoint</translation>
  </message>
  <message>
   <source>Stop comparing</source>
   <translation>Vergleich abbrechen</translation>
  </message>
  <message>
   <source>Stop it first.</source>
   <translation>Zuerst anhalten.</translation>
  </message>
  <message>
   <source>Stop playing</source>
   <translation>Wiedergabe anhalten</translation>
  </message>
  <message>
   <source>Stop with the bar.</source>
   <translation>Beenden mit der Leiste.</translation>
  </message>
  <message>
   <source>Stop with {key}.</source>
   <translation>Beenden mit {key}.</translation>
  </message>
  <message>
   <source>Stopped</source>
   <translation>Angehalten</translation>
  </message>
  <message>
   <source>Stopped after {done} of {total} steps.</source>
   <translation>Nach {done} von {total} Schritten angehalten.</translation>
  </message>
  <message>
   <source>Stopped at step {step} of {total}.</source>
   <translation>Bei Schritt {step} von {total} angehalten.</translation>
  </message>
  <message>
   <source>Stopped{after}; its last checkpoint is kept.</source>
   <translation>Angehalten{after}; der letzte Checkpoint bleibt erhalten.</translation>
  </message>
  <message>
   <source>Stopping</source>
   <translation>Wird angehalten</translation>
  </message>
  <message>
   <source>Stopping the training</source>
   <translation>Training wird angehalten</translation>
  </message>
  <message>
   <source>Stopping; the last step is being saved …</source>
   <translation>Wird beendet; der letzte Schritt wird gespeichert …</translation>
  </message>
  <message>
   <source>Store its pictures and boxes as a demo of their own</source>
   <translation>Bilder und Rahmen als eigene Demo speichern</translation>
  </message>
  <message>
   <source>Store typed text again</source>
   <translation>Getippten Text wieder speichern</translation>
  </message>
  <message>
   <source>Storing pictures</source>
   <translation>Bilder speichern</translation>
  </message>
  <message>
   <source>Storing the result …</source>
   <translation>Das Ergebnis wird gespeichert …</translation>
  </message>
  <message>
   <source>Structured answers</source>
   <translation>Strukturierte Antworten</translation>
  </message>
  <message>
   <source>Subtype</source>
   <translation>Untertyp</translation>
  </message>
  <message>
   <source>Subtype of the element</source>
   <translation>Untertyp des Elements</translation>
  </message>
  <message>
   <source>Suggestions</source>
   <translation>Vorschläge</translation>
  </message>
  <message>
   <source>Suggestions of the same look get the name that you gave an icon, here and on later screens.</source>
   <translation>Vorschläge vom gleichen Aussehen bekommen den Namen, den ein Symbol von Hand bekam, hier und auf späteren Bildern.</translation>
  </message>
  <message>
   <source>Suggestions right as they were</source>
   <translation>Vorschläge, die so richtig waren</translation>
  </message>
  <message>
   <source>Sure</source>
   <translation>Sicher</translation>
  </message>
  <message>
   <source>Swap: {theirs} gets {old}</source>
   <translation>Tauschen: {theirs} bekommt {old}</translation>
  </message>
  <message>
   <source>Switch a screen filter, magnifier or protected full-screen program off, and try again.</source>
   <translation>Schalten Sie Bildschirmfilter, Lupe oder geschützte Vollbildprogramme aus und versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>Switch it on under Privacy, or pause before you type one.</source>
   <translation>Schalten Sie es unter Privates ein oder machen Sie Pause, bevor Sie eines tippen.</translation>
  </message>
  <message>
   <source>Switch to a keyboard layout that has the characters of the text.</source>
   <translation>Wechseln Sie zu einer Tastaturbelegung, die die Zeichen des Textes hat.</translation>
  </message>
  <message>
   <source>Switched off in the settings: nobody tells which fields hold passwords.</source>
   <translation>In den Einstellungen ausgeschaltet: Niemand sagt, welche Felder Passwörter enthalten.</translation>
  </message>
  <message>
   <source>TRL, messages</source>
   <translation>TRL, Nachrichten</translation>
  </message>
  <message>
   <source>TRL, prompt and completion</source>
   <translation>TRL, Frage und Antwort</translation>
  </message>
  <message>
   <source>Tables (*.csv *.tsv *.txt *.jsonl *.ndjson);;All files (*)</source>
   <translation>Tabellen (*.csv *.tsv *.txt *.jsonl *.ndjson);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Take</source>
   <translation>Übernehmen</translation>
  </message>
  <message>
   <source>Take all of theirs</source>
   <translation>Alle anderen nehmen</translation>
  </message>
  <message>
   <source>Take back the review of {count} elements</source>
   <translation>Durchsicht von {count} Elementen zurücknehmen</translation>
  </message>
  <message>
   <source>Take back the review of {name}</source>
   <translation>Durchsicht von {name} zurücknehmen</translation>
  </message>
  <message>
   <source>Take back the review of {step}</source>
   <translation>Durchsicht von {step} zurücknehmen</translation>
  </message>
  <message>
   <source>Take every version that passes the check, in one edit</source>
   <translation>Jede Fassung übernehmen, die die Prüfung besteht, in einer Bearbeitung</translation>
  </message>
  <message>
   <source>Take it away there</source>
   <translation>Dort wegnehmen</translation>
  </message>
  <message>
   <source>Take it in as one edit; undo takes it back</source>
   <translation>In einem Schritt übernehmen; Rückgängig nimmt ihn zurück</translation>
  </message>
  <message>
   <source>Take it off the list</source>
   <translation>Von der Liste nehmen</translation>
  </message>
  <message>
   <source>Take it off the list; it can be restored</source>
   <translation>Aus der Liste nehmen; lässt sich wiederherstellen</translation>
  </message>
  <message>
   <source>Take it out of the step's text.</source>
   <translation>Nehmen Sie es aus dem Text des Schritts heraus.</translation>
  </message>
  <message>
   <source>Take it out.</source>
   <translation>Nehmen Sie es heraus.</translation>
  </message>
  <message>
   <source>Take it out: the field takes one line.</source>
   <translation>Nehmen Sie es heraus: Das Feld fasst eine Zeile.</translation>
  </message>
  <message>
   <source>Take of another demo · </source>
   <translation>Neuaufnahme einer anderen Demo · </translation>
  </message>
  <message>
   <source>Take over mouse and keyboard, and do it again</source>
   <translation>Maus und Tastatur übernehmen und wiederholen</translation>
  </message>
  <message>
   <source>Take the approval back</source>
   <translation>Freigabe zurücknehmen</translation>
  </message>
  <message>
   <source>Take the last deletion back</source>
   <translation>Das letzte Löschen zurücknehmen</translation>
  </message>
  <message>
   <source>Take the rationale that {writer} wrote</source>
   <translation>Begründung von {writer} übernehmen</translation>
  </message>
  <message>
   <source>Take the review back</source>
   <translation>Durchsicht zurücknehmen</translation>
  </message>
  <message>
   <source>Take the same boxes away from these steps</source>
   <translation>Dieselben Rahmen von diesen Schritten entfernen</translation>
  </message>
  <message>
   <source>Take the {field} from {value}</source>
   <translation>{field} von {value} übernehmen</translation>
  </message>
  <message>
   <source>Take their opinion of {name}</source>
   <translation>Andere Meinung zu {name} übernehmen</translation>
  </message>
  <message>
   <source>Take their opinion on {number} things</source>
   <translation>Andere Meinung zu {number} Punkten übernehmen</translation>
  </message>
  <message>
   <source>Take their opinion on {number} things ({kind})</source>
   <translation>Andere Meinung zu {number} Punkten übernehmen ({kind})</translation>
  </message>
  <message>
   <source>Take their opinion, in the list</source>
   <translation>Andere Meinung übernehmen, in der Liste</translation>
  </message>
  <message>
   <source>Take theirs</source>
   <translation>Andere nehmen</translation>
  </message>
  <message>
   <source>Take this one</source>
   <translation>Diese übernehmen</translation>
  </message>
  <message>
   <source>Take this step's elements along to the end, as far as they are still there</source>
   <translation>Die Elemente dieses Schritts bis zum Ende mitnehmen, soweit sie noch da sind</translation>
  </message>
  <message>
   <source>Take this step's elements along, as far as they are still there</source>
   <translation>Die Elemente dieses Schritts mitnehmen, soweit sie noch da sind</translation>
  </message>
  <message>
   <source>Take what this source says: {field_words}</source>
   <translation>Übernehmen, was diese Quelle sagt: {field_words}</translation>
  </message>
  <message>
   <source>Take {changes} rationales that {writer} wrote</source>
   <translation>{changes} Begründungen von {writer} übernehmen</translation>
  </message>
  <message>
   <source>Target</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>Task</source>
   <translation>Aufgabe</translation>
  </message>
  <message>
   <source>Task done.</source>
   <translation>Aufgabe erledigt.</translation>
  </message>
  <message>
   <source>Task set aside.</source>
   <translation>Aufgabe beiseitegelegt.</translation>
  </message>
  <message>
   <source>Tasks</source>
   <translation>Aufgaben</translation>
  </message>
  <message>
   <source>Tell what was done in words</source>
   <translation>In Worten sagen, was getan wurde</translation>
  </message>
  <message>
   <source>Tells type, states and subtype</source>
   <translation>Bestimmt Typ, Zustände und Untertyp</translation>
  </message>
  <message>
   <source>Template chosen</source>
   <translation>Vorlage gewählt</translation>
  </message>
  <message>
   <source>Templates</source>
   <translation>Vorlagen</translation>
  </message>
  <message>
   <source>Templates of boxes</source>
   <translation>Vorlagen für Rahmen</translation>
  </message>
  <message>
   <source>Terminal</source>
   <translation>Terminal</translation>
  </message>
  <message>
   <source>Text</source>
   <translation>Text</translation>
  </message>
  <message>
   <source>Text confidence</source>
   <translation>Textsicherheit</translation>
  </message>
  <message>
   <source>Text is held back</source>
   <translation>Text zurückgehalten</translation>
  </message>
  <message>
   <source>Text is stored again</source>
   <translation>Text wird gespeichert</translation>
  </message>
  <message>
   <source>Text of the element</source>
   <translation>Text des Elements</translation>
  </message>
  <message>
   <source>Text on it</source>
   <translation>Text darauf</translation>
  </message>
  <message>
   <source>That element is on another picture than the one this step was done on.</source>
   <translation>Dieses Element liegt auf einem anderen Bild als dem, auf dem der Schritt ausgeführt wurde.</translation>
  </message>
  <message>
   <source>That element is the step's target already.</source>
   <translation>Dieses Element ist schon das Ziel des Schritts.</translation>
  </message>
  <message>
   <source>That picture does not show the place where the pointer acted.</source>
   <translation>Dieses Bild zeigt die Stelle nicht, an der der Zeiger gewirkt hat.</translation>
  </message>
  <message>
   <source>The X server did not begin to deliver input.</source>
   <translation>Der X-Server hat nicht begonnen, Eingaben zu liefern.</translation>
  </message>
  <message>
   <source>The X server has no XKB extension.</source>
   <translation>Dem X-Server fehlt die Erweiterung XKB.</translation>
  </message>
  <message>
   <source>The X server {display} cannot be reached.</source>
   <translation>Der X-Server {display} ist nicht zu erreichen.</translation>
  </message>
  <message>
   <source>The X server {display} does not tell who owns its clipboard.</source>
   <translation>Der X-Server {display} sagt nicht, wem seine Zwischenablage gehört.</translation>
  </message>
  <message>
   <source>The annotations are written.</source>
   <translation>Die Annotationen sind geschrieben.</translation>
  </message>
  <message>
   <source>The app cannot show windows: the system library libxcb-cursor is missing.</source>
   <translation>Die App kann keine Fenster zeigen: Die Systembibliothek libxcb-cursor fehlt.</translation>
  </message>
  <message>
   <source>The app may not use the screen that DISPLAY names ({display}).</source>
   <translation>Die App darf den Bildschirm nicht benutzen, den DISPLAY nennt ({display}).</translation>
  </message>
  <message>
   <source>The app needs a screen, and the one that DISPLAY names ({display}) does not answer.</source>
   <translation>Die App braucht einen Bildschirm, und der, den DISPLAY nennt ({display}), antwortet nicht.</translation>
  </message>
  <message>
   <source>The app needs a screen, and there is none here.</source>
   <translation>Die App braucht einen Bildschirm, und hier ist keiner.</translation>
  </message>
  <message>
   <source>The application in front</source>
   <translation>Die Anwendung im Vordergrund</translation>
  </message>
  <message>
   <source>The clipboard is the desktop's own.</source>
   <translation>Die Zwischenablage gehört der Arbeitsfläche allein.</translation>
  </message>
  <message>
   <source>The contract itself, one JSON line a step or demo, its pictures beside it: for programs of your own.</source>
   <translation>Die Vereinbarung selbst, eine JSON-Zeile je Schritt oder Demo, die Bilder daneben: für eigene Programme.</translation>
  </message>
  <message>
   <source>The demo as a whole</source>
   <translation>Die Demo als Ganzes</translation>
  </message>
  <message>
   <source>The demo does not have the value of {name}: it was hidden when it was recorded.</source>
   <translation>Die Demo hat den Wert von {name} nicht: Er wurde bei der Aufnahme verborgen.</translation>
  </message>
  <message>
   <source>The demo has no variable {name}. It has none: no typed text is marked, and none stands in the task.</source>
   <translation>Die Demo hat keine Variable {name}. Sie hat keine: Kein getippter Text ist gekennzeichnet, und keiner steht in der Aufgabe.</translation>
  </message>
  <message>
   <source>The demo has no variable {name}. It has: {names}.</source>
   <translation>Die Demo hat keine Variable {name}. Sie hat: {names}.</translation>
  </message>
  <message>
   <source>The demo is as it was after “{label}”; 1 edit was taken back or done again.</source>
   <translation>Die Demo ist wie nach „{label}“; 1 Änderung wurde zurückgenommen oder wiederholt.</translation>
  </message>
  <message>
   <source>The demo is as it was after “{label}”; {count} edits were taken back or done again.</source>
   <translation>Die Demo ist wie nach „{label}“; {count} Änderungen wurden zurückgenommen oder wiederholt.</translation>
  </message>
  <message>
   <source>The demo is as it was before its first edit; 1 edit was taken back.</source>
   <translation>Die Demo ist wie vor ihrer ersten Änderung; 1 Änderung wurde zurückgenommen.</translation>
  </message>
  <message>
   <source>The demo is as it was before its first edit; {count} edits were taken back.</source>
   <translation>Die Demo ist wie vor ihrer ersten Änderung; {count} Änderungen wurden zurückgenommen.</translation>
  </message>
  <message>
   <source>The demo is as it was then already.</source>
   <translation>Die Demo ist schon so, wie sie damals war.</translation>
  </message>
  <message>
   <source>The demo is marked as done again; packs that you export carry the mark.</source>
   <translation>Die Demo ist als wiederholt gekennzeichnet; Pakete, die Sie exportieren, tragen das Zeichen.</translation>
  </message>
  <message>
   <source>The demo's identity</source>
   <translation>Die Kennung der Demo</translation>
  </message>
  <message>
   <source>The demo, or a --set, has changed since rows were done with it, as the journal {path} says.</source>
   <translation>Die Demo oder ein Wert hat sich geändert, seit Zeilen damit erledigt wurden; so steht es im Protokoll {path}.</translation>
  </message>
  <message>
   <source>The disk of the library is nearly full: {free} MB free.</source>
   <translation>Der Datenträger der Bibliothek ist fast voll: {free} MB frei.</translation>
  </message>
  <message>
   <source>The disk that holds {folder} is almost full; the recording is paused.</source>
   <translation>Der Datenträger mit {folder} ist fast voll; die Aufnahme pausiert.</translation>
  </message>
  <message>
   <source>The disk that holds {folder} is full; everything saved so far is safe.</source>
   <translation>Der Datenträger mit {folder} ist voll; alles bisher Gespeicherte ist sicher.</translation>
  </message>
  <message>
   <source>The disk was almost full.</source>
   <translation>Der Datenträger war fast voll.</translation>
  </message>
  <message>
   <source>The document holds nothing of what was typed, for instance “{text}”.</source>
   <translation>Das Dokument enthält nichts von dem, was geschrieben wurde, zum Beispiel „{text}“.</translation>
  </message>
  <message>
   <source>The drag did not end on this element.</source>
   <translation>Das Ziehen endete nicht auf diesem Element.</translation>
  </message>
  <message>
   <source>The drag ended on no element.</source>
   <translation>Das Ziehen endete auf keinem Element.</translation>
  </message>
  <message>
   <source>The dry run was stopped.</source>
   <translation>Die Probe wurde angehalten.</translation>
  </message>
  <message>
   <source>The edges lie where they can be seen already, and nothing lies around.</source>
   <translation>Die Kanten liegen schon auf Sichtbarem, und darum herum ist nichts.</translation>
  </message>
  <message>
   <source>The edges lie where they can be seen already.</source>
   <translation>Die Kanten liegen schon dort, wo sie zu sehen sind.</translation>
  </message>
  <message>
   <source>The element as it is on the screenshot, enlarged</source>
   <translation>Das Element, wie es auf dem Bildschirmfoto ist, vergrößert</translation>
  </message>
  <message>
   <source>The element, enlarged</source>
   <translation>Das Element, vergrößert</translation>
  </message>
  <message>
   <source>The elements as boxes with types: what detectors are trained and measured with.</source>
   <translation>Die Elemente als Rahmen mit Typen: womit Detektoren trainiert und gemessen werden.</translation>
  </message>
  <message>
   <source>The elements as label files: what Ultralytics trains on.</source>
   <translation>Die Elemente als Label-Dateien: womit Ultralytics trainiert.</translation>
  </message>
  <message>
   <source>The environment variable or key ring entry that holds it; empty for the service's usual name.</source>
   <translation>Die Umgebungsvariable oder der Schlüsselbund-Eintrag, der ihn enthält; leer für den üblichen Namen des Dienstes.</translation>
  </message>
  <message>
   <source>The execution ended with an error:</source>
   <translation>Die Ausführung endete mit einem Fehler:</translation>
  </message>
  <message>
   <source>The file or folder with the annotations</source>
   <translation>Die Datei oder der Ordner mit den Annotationen</translation>
  </message>
  <message>
   <source>The film has reached its size; the steps are recorded on.</source>
   <translation>Der Film hat seine Größe erreicht; die Schritte werden weiter aufgenommen.</translation>
  </message>
  <message>
   <source>The folder to write</source>
   <translation>Der Ordner, der geschrieben wird</translation>
  </message>
  <message>
   <source>The hints of the first time</source>
   <translation>Die Hinweise vom ersten Mal</translation>
  </message>
  <message>
   <source>The history is still on its way.</source>
   <translation>Der Verlauf ist noch unterwegs.</translation>
  </message>
  <message>
   <source>The journal {path} cannot be written: {error}.</source>
   <translation>Das Protokoll {path} kann nicht geschrieben werden: {error}.</translation>
  </message>
  <message>
   <source>The journal {path} is damaged: {error}.</source>
   <translation>Das Protokoll {path} ist beschädigt: {error}.</translation>
  </message>
  <message>
   <source>The key means this here, and no longer what it meant</source>
   <translation>Die Taste bedeutet hier dies und nicht mehr, was sie bedeutete</translation>
  </message>
  <message>
   <source>The keyboard's layout cannot be copied: xkbcomp is missing.</source>
   <translation>Die Tastaturbelegung lässt sich nicht übernehmen: xkbcomp fehlt.</translation>
  </message>
  <message>
   <source>The keyboard's layout could not be copied.</source>
   <translation>Die Tastaturbelegung konnte nicht übernommen werden.</translation>
  </message>
  <message>
   <source>The left upper corner is 0, 0.</source>
   <translation>Die linke obere Ecke ist 0, 0.</translation>
  </message>
  <message>
   <source>The library {folder} cannot be reached; the recording is paused.</source>
   <translation>Die Bibliothek {folder} ist nicht zu erreichen; die Aufnahme pausiert.</translation>
  </message>
  <message>
   <source>The main application</source>
   <translation>Die Hauptanwendung</translation>
  </message>
  <message>
   <source>The main application; found out when it is left empty</source>
   <translation>Die Hauptanwendung; bleibt das Feld leer, wird sie ermittelt</translation>
  </message>
  <message>
   <source>The model that came out stays</source>
   <translation>Das entstandene Modell bleibt</translation>
  </message>
  <message>
   <source>The model whose knowledge is trained further</source>
   <translation>Das Modell, dessen Wissen weiter trainiert wird</translation>
  </message>
  <message>
   <source>The model's card</source>
   <translation>Modellkarte</translation>
  </message>
  <message>
   <source>The models found all {used} elements on them: little to learn.</source>
   <translation>Die Modelle haben alle {used} Elemente darauf gefunden: wenig zu lernen.</translation>
  </message>
  <message>
   <source>The monitors changed during the test.</source>
   <translation>Die Monitore haben sich während der Probe geändert.</translation>
  </message>
  <message>
   <source>The new window of {name} tells what it shows: use that one.</source>
   <translation>Das neue Fenster von {name} sagt, was es zeigt: Arbeiten Sie in diesem.</translation>
  </message>
  <message>
   <source>The next box is a {type}.</source>
   <translation>Typ des nächsten Rahmens: {type}.</translation>
  </message>
  <message>
   <source>The next hint</source>
   <translation>Der nächste Hinweis</translation>
  </message>
  <message>
   <source>The next larger box</source>
   <translation>Der nächstgrößere Rahmen</translation>
  </message>
  <message>
   <source>The only type left is taken by itself; arrows choose, Return takes, Esc closes</source>
   <translation>Der letzte übrige Typ wird von selbst genommen; Pfeile wählen, Eingabe nimmt, Esc schließt</translation>
  </message>
  <message>
   <source>The picture before this step is old.</source>
   <translation>Das Bild vor diesem Schritt ist alt.</translation>
  </message>
  <message>
   <source>The picture is still being read. Try again in a moment.</source>
   <translation>Das Bild wird noch gelesen. Gleich noch einmal versuchen.</translation>
  </message>
  <message>
   <source>The pictures of the screen are empty.</source>
   <translation>Die Bilder vom Bildschirm sind leer.</translation>
  </message>
  <message>
   <source>The place-holder of a secret cannot be cut in two.</source>
   <translation>Der Platzhalter eines Geheimnisses lässt sich nicht zerschneiden.</translation>
  </message>
  <message>
   <source>The pointer cannot be moved to try the input out.</source>
   <translation>Der Zeiger lässt sich nicht bewegen, um die Eingabe zu prüfen.</translation>
  </message>
  <message>
   <source>The pointer could not be brought to ({x}, {y}).</source>
   <translation>Der Zeiger ließ sich nicht nach ({x}, {y}) bringen.</translation>
  </message>
  <message>
   <source>The pointer hit no element.</source>
   <translation>Der Zeiger traf kein Element.</translation>
  </message>
  <message>
   <source>The pointer was moved, but nothing arrived.</source>
   <translation>Der Zeiger wurde bewegt, aber nichts kam an.</translation>
  </message>
  <message>
   <source>The pointer was not on the element that the program says was under it.</source>
   <translation>Der Zeiger war nicht auf dem Element, das nach Angabe des Programms darunter lag.</translation>
  </message>
  <message>
   <source>The program Tesseract, which reads Cyrillic, Greek, Arabic, Hebrew, Korean and Devanagari: its name or path; empty for none.</source>
   <translation>Das Programm Tesseract, das kyrillische, griechische, arabische, hebräische, koreanische und Devanagari-Schrift liest: Name oder Pfad; leer für keines.</translation>
  </message>
  <message>
   <source>The program calls it {role} “{name}”</source>
   <translation>Das Programm nennt es {role} „{name}“</translation>
  </message>
  <message>
   <source>The program calls it {role}, without a name</source>
   <translation>Das Programm nennt es {role}, ohne Namen</translation>
  </message>
  <message>
   <source>The program did not respond when this was done.</source>
   <translation>Das Programm hat nicht geantwortet, als das getan wurde.</translation>
  </message>
  <message>
   <source>The program in front does not tell which field has the input: what you type counts as a password.</source>
   <translation>Das vorderste Programm sagt nicht, welches Feld die Eingabe hat: Was Sie tippen, gilt als Passwort.</translation>
  </message>
  <message>
   <source>The program {app} did not start.</source>
   <translation>Das Programm {app} ist nicht gestartet.</translation>
  </message>
  <message>
   <source>The programs themselves</source>
   <translation>Die Programme selbst</translation>
  </message>
  <message>
   <source>The programs told nothing that is not there already.</source>
   <translation>Die Programme haben nichts angegeben, was nicht schon da ist.</translation>
  </message>
  <message>
   <source>The prompt for the step that is shown</source>
   <translation>Der Prompt für den gezeigten Schritt</translation>
  </message>
  <message>
   <source>The prompt is on the clipboard.</source>
   <translation>Der Prompt ist in der Zwischenablage.</translation>
  </message>
  <message>
   <source>The prompt that an agent would get at this step, to be copied</source>
   <translation>Der Prompt, den ein Agent bei diesem Schritt bekäme, zum Kopieren</translation>
  </message>
  <message>
   <source>The rationale was written before the task, the action or its target changed.</source>
   <translation>Die Begründung wurde geschrieben, bevor sich Aufgabe, Aktion oder Ziel änderte.</translation>
  </message>
  <message>
   <source>The recording becomes the execution of this task</source>
   <translation>Die Aufnahme wird die Ausführung dieser Aufgabe</translation>
  </message>
  <message>
   <source>The recording broke off because of a fault in demopack; the steps before it are saved.</source>
   <translation>Die Aufnahme brach wegen eines Fehlers in demopack ab; die Schritte davor sind gespeichert.</translation>
  </message>
  <message>
   <source>The recording desktop did not open.</source>
   <translation>Die Aufnahme-Arbeitsfläche ging nicht auf.</translation>
  </message>
  <message>
   <source>The recording desktop was closed, or the session that it is a window of has ended.</source>
   <translation>Die Aufnahme-Arbeitsfläche wurde geschlossen, oder die Sitzung, in der sie ein Fenster ist, ist zu Ende.</translation>
  </message>
  <message>
   <source>The recording desktop's X server ({program}) did not start.</source>
   <translation>Der X-Server der Aufnahme-Arbeitsfläche ({program}) startete nicht.</translation>
  </message>
  <message>
   <source>The recording has no picture here.</source>
   <translation>Die Aufnahme hat hier kein Bild.</translation>
  </message>
  <message>
   <source>The recording was cut off.</source>
   <translation>Die Aufnahme brach vorzeitig ab.</translation>
  </message>
  <message>
   <source>The recording was cut off. The demo is as it was, the take is in the library.</source>
   <translation>Die Aufnahme brach vorzeitig ab. Die Demo ist, wie sie war; die Neuaufnahme steht in der Bibliothek.</translation>
  </message>
  <message>
   <source>The region is not complete.</source>
   <translation>Der Bereich ist unvollständig.</translation>
  </message>
  <message>
   <source>The region {area} lies outside the screen, which has {width} x {height} pixels.</source>
   <translation>Der Bereich {area} liegt außerhalb des Bildschirms, der {width} x {height} Pixel hat.</translation>
  </message>
  <message>
   <source>The replay ended before this step.</source>
   <translation>Die Wiederholung endete vor diesem Schritt.</translation>
  </message>
  <message>
   <source>The replay gave way to a person, but {held} did not come to rest.</source>
   <translation>Die Wiederholung ließ einem Menschen den Vortritt, doch {held} kam nicht zur Ruhe.</translation>
  </message>
  <message>
   <source>The replay was stopped.</source>
   <translation>Die Wiederholung wurde angehalten.</translation>
  </message>
  <message>
   <source>The same element over steps</source>
   <translation>Dasselbe Element über mehrere Schritte</translation>
  </message>
  <message>
   <source>The screen after the step</source>
   <translation>Der Bildschirm nach dem Schritt</translation>
  </message>
  <message>
   <source>The screen at the beginning of the demo</source>
   <translation>Der Bildschirm am Anfang der Demo</translation>
  </message>
  <message>
   <source>The screen before the step</source>
   <translation>Der Bildschirm vor dem Schritt</translation>
  </message>
  <message>
   <source>The screen cannot be read.</source>
   <translation>Der Bildschirm kann nicht gelesen werden.</translation>
  </message>
  <message>
   <source>The screen changed as it did in the recording.</source>
   <translation>Der Bildschirm hat sich verändert wie in der Aufnahme.</translation>
  </message>
  <message>
   <source>The screen changed between the picture and the action.</source>
   <translation>Zwischen dem Bild und der Aktion änderte sich der Bildschirm.</translation>
  </message>
  <message>
   <source>The screen does not answer.</source>
   <translation>Der Bildschirm antwortet nicht.</translation>
  </message>
  <message>
   <source>The screen has gone: its X server has ended or cut the connection.</source>
   <translation>Der Bildschirm ist weg: Sein X-Server wurde beendet oder hat die Verbindung getrennt.</translation>
  </message>
  <message>
   <source>The screen is locked, or the system asks for permission on a screen of its own.</source>
   <translation>Der Bildschirm ist gesperrt, oder das System fragt auf einem eigenen Bildschirm um Erlaubnis.</translation>
  </message>
  <message>
   <source>The screen was still changing when the next step began.</source>
   <translation>Der Bildschirm änderte sich noch, als der nächste Schritt begann.</translation>
  </message>
  <message>
   <source>The screens whose correction teaches most</source>
   <translation>Die Bildschirme, deren Korrektur am meisten lehrt</translation>
  </message>
  <message>
   <source>The selected steps</source>
   <translation>Die ausgewählten Schritte</translation>
  </message>
  <message>
   <source>The slider hides boxes whose finder was less sure. Nothing is changed by that.</source>
   <translation>Der Regler blendet Rahmen aus, deren Finder weniger sicher war. Geändert wird dadurch nichts.</translation>
  </message>
  <message>
   <source>The step starts the program {app}, which was not allowed.</source>
   <translation>Der Schritt startet das Programm {app}; das war nicht erlaubt.</translation>
  </message>
  <message>
   <source>The step that ends the task stays at the end.</source>
   <translation>Der Schritt, der die Aufgabe beendet, bleibt am Ende.</translation>
  </message>
  <message>
   <source>The step {what}) of {window}, but {why}. Nothing was sent.</source>
   <translation>Der Schritt {what}) von {window}, doch {why}. Es wurde nichts gesendet.</translation>
  </message>
  <message>
   <source>The step {what}, but {why}. Nothing was sent.</source>
   <translation>Der Schritt {what}, doch {why}. Es wurde nichts gesendet.</translation>
  </message>
  <message>
   <source>The system asks for no motion: Space or B shows the other picture.</source>
   <translation>Das System wünscht keine Bewegung: Leertaste oder B zeigt das andere Bild.</translation>
  </message>
  <message>
   <source>The table has changed since rows were done with it, as the journal {path} says.</source>
   <translation>Die Tabelle hat sich geändert, seit Zeilen mit ihr erledigt wurden; so steht es im Protokoll {path}.</translation>
  </message>
  <message>
   <source>The target does not lie under the pointer.</source>
   <translation>Das Ziel liegt nicht unter dem Zeiger.</translation>
  </message>
  <message>
   <source>The target of step {number} moved along.</source>
   <translation>Das Ziel von Schritt {number} ist mitgewandert.</translation>
  </message>
  <message>
   <source>The task</source>
   <translation>Die Aufgabe</translation>
  </message>
  <message>
   <source>The task could not be done</source>
   <translation>Die Aufgabe ließ sich nicht erledigen</translation>
  </message>
  <message>
   <source>The task was done</source>
   <translation>Die Aufgabe wurde erledigt</translation>
  </message>
  <message>
   <source>The task {key} is damaged; every other one is safe.</source>
   <translation>Die Aufgabe {key} ist beschädigt; alle anderen sind unversehrt.</translation>
  </message>
  <message>
   <source>The task's own reward said so.</source>
   <translation>Die Bewertung der Aufgabe selbst hat es bestätigt.</translation>
  </message>
  <message>
   <source>The task; click to reword it</source>
   <translation>Die Aufgabe; Klick formuliert sie um</translation>
  </message>
  <message>
   <source>The tasks cannot be read.</source>
   <translation>Die Aufgaben können nicht gelesen werden.</translation>
  </message>
  <message>
   <source>The template cannot be copied: {why}.</source>
   <translation>Die Vorlage kann nicht kopiert werden: {why}.</translation>
  </message>
  <message>
   <source>The template in {file} cannot be read: {value} is not as it should be.</source>
   <translation>Die Vorlage in {file} ist nicht lesbar: {value} ist nicht, wie es sein sollte.</translation>
  </message>
  <message>
   <source>The template in {file} was written by a newer demopack.</source>
   <translation>Die Vorlage in {file} stammt von einem neueren demopack.</translation>
  </message>
  <message>
   <source>The template, which needs no network, or a model such as ollama:qwen2.5vl:7b</source>
   <translation>Die Vorlage, die kein Netz braucht, oder ein Modell wie ollama:qwen2.5vl:7b</translation>
  </message>
  <message>
   <source>The text holds the character U+{code}, which no key produces; nothing was typed.</source>
   <translation>Der Text enthält das Zeichen U+{code}, das keine Taste erzeugt; es wurde nichts getippt.</translation>
  </message>
  <message>
   <source>The training could not be started.</source>
   <translation>Das Training ließ sich nicht starten.</translation>
  </message>
  <message>
   <source>The training {name} is running already.</source>
   <translation>Das Training {name} läuft schon.</translation>
  </message>
  <message>
   <source>The training {name} may be running.</source>
   <translation>Das Training {name} läuft möglicherweise.</translation>
  </message>
  <message>
   <source>The training {name} was started in a terminal.</source>
   <translation>Das Training {name} wurde in einem Terminal gestartet.</translation>
  </message>
  <message>
   <source>The two pictures are equal.</source>
   <translation>Die beiden Bilder sind gleich.</translation>
  </message>
  <message>
   <source>The value of {name} holds a character that no key produces.</source>
   <translation>Der Wert von {name} enthält ein Zeichen, das keine Taste erzeugt.</translation>
  </message>
  <message>
   <source>The value of {name} holds a line end or a tab, with which the field of step {step} would be left before all of it was typed.</source>
   <translation>Der Wert von {name} enthält ein Zeilenende oder einen Tabulator, mit dem das Feld von Schritt {step} verlassen würde, bevor alles getippt ist.</translation>
  </message>
  <message>
   <source>The variable whose value this text is, for instance customer_name</source>
   <translation>Die Variable, deren Wert dieser Text ist, zum Beispiel kundenname</translation>
  </message>
  <message>
   <source>The version was</source>
   <translation>Die Fassung wurde</translation>
  </message>
  <message>
   <source>The versions were</source>
   <translation>Die Fassungen wurden</translation>
  </message>
  <message>
   <source>The whole demo</source>
   <translation>Die ganze Demo</translation>
  </message>
  <message>
   <source>The whole screen</source>
   <translation>Der ganze Bildschirm</translation>
  </message>
  <message>
   <source>The whole time, over all starts; more is better up to a point, and it stops by itself</source>
   <translation>Die gesamte Zeit über alle Starts; bis zu einem gewissen Punkt hilft mehr, und das Training hält von selbst an</translation>
  </message>
  <message>
   <source>The window “{title}” cannot be seen: it is closed, minimised or outside the screen.</source>
   <translation>Das Fenster „{title}“ ist nicht zu sehen: Es ist geschlossen, verkleinert oder außerhalb des Bildschirms.</translation>
  </message>
  <message>
   <source>The window's title, or a part of it</source>
   <translation>Der Fenstertitel oder ein Teil davon</translation>
  </message>
  <message>
   <source>The {kind} that came with demopack is used from now on.</source>
   <translation>Ab jetzt wird der mitgelieferte {kind} benutzt.</translation>
  </message>
  <message>
   <source>The {kind} {name} is trained.</source>
   <translation>Fertig trainiert: {kind} {name}.</translation>
  </message>
  <message>
   <source>The {kind} {name} is used from now on.</source>
   <translation>Ab jetzt in Gebrauch: {kind} {name}.</translation>
  </message>
  <message>
   <source>The {strategy} leads to another element than the recorded one.</source>
   <translation>{strategy} führt zu einem anderen Element als dem aufgenommenen.</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>Farbschema</translation>
  </message>
  <message>
   <source>There are no boxes on this picture to save.</source>
   <translation>Auf diesem Bild sind keine Rahmen, die sich speichern lassen.</translation>
  </message>
  <message>
   <source>There are no boxes to paste. Copy some first.</source>
   <translation>Es gibt keine Rahmen zum Einfügen. Zuerst welche kopieren.</translation>
  </message>
  <message>
   <source>There are no elements here yet. Find them, or draw a box on the picture.</source>
   <translation>Hier sind noch keine Elemente. Elemente finden oder einen Rahmen auf das Bild zeichnen.</translation>
  </message>
  <message>
   <source>There are no elements on this picture to carry over.</source>
   <translation>Auf diesem Bild sind keine Elemente, die sich übernehmen lassen.</translation>
  </message>
  <message>
   <source>There are no elements yet.</source>
   <translation>Es gibt noch keine Elemente.</translation>
  </message>
  <message>
   <source>There are no steps yet.</source>
   <translation>Es gibt noch keine Schritte.</translation>
  </message>
  <message>
   <source>There are not two models to compare yet.</source>
   <translation>Es gibt noch keine zwei Modelle zum Vergleichen.</translation>
  </message>
  <message>
   <source>There is a model or training called {name}.</source>
   <translation>Ein Modell oder Training namens {name} gibt es schon.</translation>
  </message>
  <message>
   <source>There is no difference.</source>
   <translation>Es gibt keinen Unterschied.</translation>
  </message>
  <message>
   <source>There is no double.</source>
   <translation>Keine Dublette.</translation>
  </message>
  <message>
   <source>There is no element on this picture.</source>
   <translation>Auf diesem Bild ist kein Element.</translation>
  </message>
  <message>
   <source>There is no file {path}.</source>
   <translation>Es gibt keine Datei {path}.</translation>
  </message>
  <message>
   <source>There is no folder {folder} for the journal {name}.</source>
   <translation>Es gibt keinen Ordner {folder} für das Protokoll {name}.</translation>
  </message>
  <message>
   <source>There is no key {key} on this desktop.</source>
   <translation>Auf diesem Desktop gibt es keine Taste {key}.</translation>
  </message>
  <message>
   <source>There is no key “{key}:”.{more}</source>
   <translation>Es gibt keinen Suchschlüssel „{key}:“.{more}</translation>
  </message>
  <message>
   <source>There is no monitor {monitor}.</source>
   <translation>Es gibt keinen Monitor {monitor}.</translation>
  </message>
  <message>
   <source>There is no mouse button {button} to press.</source>
   <translation>Es gibt keine Maustaste {button}, die sich drücken ließe.</translation>
  </message>
  <message>
   <source>There is no picture after this step.</source>
   <translation>Nach diesem Schritt gibt es kein Bild.</translation>
  </message>
  <message>
   <source>There is no picture before this step.</source>
   <translation>Vor diesem Schritt gibt es kein Bild.</translation>
  </message>
  <message>
   <source>There is no picture of the screen after this step.</source>
   <translation>Vom Bildschirm nach diesem Schritt gibt es kein Bild.</translation>
  </message>
  <message>
   <source>There is no picture of the screen before this step.</source>
   <translation>Es gibt kein Bild vom Bildschirm vor diesem Schritt.</translation>
  </message>
  <message>
   <source>There is no picture of this step.</source>
   <translation>Von diesem Schritt gibt es kein Bild.</translation>
  </message>
  <message>
   <source>There is no program {app} on this machine.</source>
   <translation>Auf diesem Rechner gibt es kein Programm {app}.</translation>
  </message>
  <message>
   <source>There is no program {program}.</source>
   <translation>Es gibt kein Programm {program}.</translation>
  </message>
  <message>
   <source>There is no screen here.</source>
   <translation>Hier ist kein Bildschirm.</translation>
  </message>
  <message>
   <source>There is no screen to record: DISPLAY is not set.</source>
   <translation>Es gibt keinen Bildschirm zum Aufnehmen: DISPLAY ist nicht gesetzt.</translation>
  </message>
  <message>
   <source>There is no screen to replay on.</source>
   <translation>Es gibt keinen Bildschirm zum Wiederholen.</translation>
  </message>
  <message>
   <source>There is no screen to replay on: DISPLAY is not set.</source>
   <translation>Es gibt keinen Bildschirm zum Wiederholen: DISPLAY ist nicht gesetzt.</translation>
  </message>
  <message>
   <source>There is no screen to show a recording desktop on: neither WAYLAND_DISPLAY nor DISPLAY is set.</source>
   <translation>Es gibt keinen Bildschirm für eine Aufnahme-Arbeitsfläche: weder WAYLAND_DISPLAY noch DISPLAY ist gesetzt.</translation>
  </message>
  <message>
   <source>There is no such key.</source>
   <translation>Diese Taste gibt es nicht.</translation>
  </message>
  <message>
   <source>There is no template in {place}.</source>
   <translation>In {place} liegt keine Vorlage.</translation>
  </message>
  <message>
   <source>There is no training called {name}.</source>
   <translation>Ein Training namens {name} gibt es nicht.</translation>
  </message>
  <message>
   <source>There is no version for this step.</source>
   <translation>Für diesen Schritt gibt es keine Fassung.</translation>
  </message>
  <message>
   <source>There is nothing between these parentheses.</source>
   <translation>Zwischen diesen Klammern steht nichts.</translation>
  </message>
  <message>
   <source>There is nothing to learn from.</source>
   <translation>Es gibt nichts, woraus gelernt werden könnte.</translation>
  </message>
  <message>
   <source>There is nothing to remove on these steps.</source>
   <translation>Auf diesen Schritten gibt es nichts zu entfernen.</translation>
  </message>
  <message>
   <source>There is nothing to show: this edit was about the demo as a whole.</source>
   <translation>Hier gibt es nichts zu zeigen: Diese Änderung betraf die Demo als Ganzes.</translation>
  </message>
  <message>
   <source>There is nothing to show: this is about the demo as a whole.</source>
   <translation>Hier gibt es nichts zu zeigen: Das betrifft die Demo als Ganzes.</translation>
  </message>
  <message>
   <source>There was no demo in it.</source>
   <translation>Darin war keine Demo.</translation>
  </message>
  <message>
   <source>These keys</source>
   <translation>Diese Tasten</translation>
  </message>
  <message>
   <source>These steps cannot be made one: others lie between them.</source>
   <translation>Diese Schritte lassen sich nicht zusammenfügen: Andere liegen dazwischen.</translation>
  </message>
  <message>
   <source>These steps cannot be made one: {why}.</source>
   <translation>Diese Schritte lassen sich nicht zusammenfügen: {why}.</translation>
  </message>
  <message>
   <source>They put {name} elsewhere: {place}; you: {own}</source>
   <translation>{name} liegt woanders: {place}; bei dir: {own}</translation>
  </message>
  <message>
   <source>They read nothing on {name}</source>
   <translation>Auf {name} wurde nichts gelesen</translation>
  </message>
  <message>
   <source>They read “{text}” on {name}</source>
   <translation>Anders gelesen auf {name}: „{text}“</translation>
  </message>
  <message>
   <source>They rejected {name}, you did not</source>
   <translation>{name}: von der anderen Person abgelehnt, von dir nicht</translation>
  </message>
  <message>
   <source>They see another kind in {name}: {kind}</source>
   <translation>Andere Art bei {name}: {kind}</translation>
  </message>
  <message>
   <source>They see other states of {name}: {states}; you: {own}</source>
   <translation>Andere Zustände bei {name}: {states}; bei dir: {own}</translation>
  </message>
  <message>
   <source>They take {name} for {type}</source>
   <translation>{name} gilt dort als {type}</translation>
  </message>
  <message>
   <source>This X server does not let programs press keys: it has no XTEST extension.</source>
   <translation>Dieser X-Server lässt Programme keine Tasten drücken: Ihm fehlt die Erweiterung XTEST.</translation>
  </message>
  <message>
   <source>This X server does not let programs watch input: its RECORD extension is off.</source>
   <translation>Dieser X-Server lässt Programme keine Eingaben beobachten: Seine Erweiterung RECORD ist aus.</translation>
  </message>
  <message>
   <source>This box is too thin to split.</source>
   <translation>Dieser Rahmen ist zu schmal zum Teilen.</translation>
  </message>
  <message>
   <source>This could not be tried out: {what}</source>
   <translation>Dies konnte nicht geprüft werden: {what}</translation>
  </message>
  <message>
   <source>This demo has no steps.</source>
   <translation>Diese Demo hat keine Schritte.</translation>
  </message>
  <message>
   <source>This demo is damaged and cannot be opened. {reason} “demopack repair” mends what can be mended.</source>
   <translation>Diese Demo ist beschädigt und kann nicht geöffnet werden. {reason} „demopack repair“ rettet, was zu retten ist.</translation>
  </message>
  <message>
   <source>This element is on no other picture, as far as is known.</source>
   <translation>Dieses Element ist auf keinem anderen Bild, soweit bekannt.</translation>
  </message>
  <message>
   <source>This file has no card: what it was trained on is not known.</source>
   <translation>Diese Datei hat keine Modellkarte: Womit sie trainiert wurde, ist nicht bekannt.</translation>
  </message>
  <message>
   <source>This input source was started before; open a new one.</source>
   <translation>Diese Eingabequelle wurde schon gestartet; öffnen Sie eine neue.</translation>
  </message>
  <message>
   <source>This is a Wayland session, which does not let programs press keys or move the pointer.</source>
   <translation>Dies ist eine Wayland-Sitzung; sie lässt Programme weder Tasten drücken noch den Zeiger bewegen.</translation>
  </message>
  <message>
   <source>This is a Wayland session; other programs' windows and input cannot be recorded in it.</source>
   <translation>Dies ist eine Wayland-Sitzung; Fenster und Eingaben anderer Programme lassen sich in ihr nicht aufnehmen.</translation>
  </message>
  <message>
   <source>This is a take: another demo recorded again from one of its steps on.{missing}</source>
   <translation>Dies ist eine Neuaufnahme: eine andere Demo, ab einem ihrer Schritte neu aufgenommen.{missing}</translation>
  </message>
  <message>
   <source>This is nested too deeply.</source>
   <translation>Das ist zu tief verschachtelt.</translation>
  </message>
  <message>
   <source>This is not possible: {why}.</source>
   <translation>Das geht nicht: {why}.</translation>
  </message>
  <message>
   <source>This key stays as it is: the controls themselves answer to it.</source>
   <translation>Diese Taste bleibt, wie sie ist: Die Bedienelemente selbst reagieren auf sie.</translation>
  </message>
  <message>
   <source>This key types a character, which could not be typed any more. Hold Ctrl, Alt or Meta with it.</source>
   <translation>Diese Taste tippt ein Zeichen, das sich dann nicht mehr tippen ließe. Strg, Alt oder Meta dazu halten.</translation>
  </message>
  <message>
   <source>This keyboard has no spare key for a character outside its layout.</source>
   <translation>Diese Tastatur hat keine freie Taste für ein Zeichen außerhalb ihrer Belegung.</translation>
  </message>
  <message>
   <source>This parenthesis is not closed.</source>
   <translation>Diese Klammer ist nicht geschlossen.</translation>
  </message>
  <message>
   <source>This parenthesis was never opened.</source>
   <translation>Diese Klammer wurde nie geöffnet.</translation>
  </message>
  <message>
   <source>This pattern cannot be read: {msg}.</source>
   <translation>Dieses Muster ist nicht lesbar: {msg}.</translation>
  </message>
  <message>
   <source>This pattern has no closing slash.</source>
   <translation>Diesem Muster fehlt der schließende Schrägstrich.</translation>
  </message>
  <message>
   <source>This pattern has {found} parts that repeat without an end; {most} are possible.</source>
   <translation>Dieses Muster hat {found} Teile, die sich ohne Ende wiederholen; möglich sind {most}.</translation>
  </message>
  <message>
   <source>This pattern repeats something that repeats already, which could take for ever.</source>
   <translation>Dieses Muster wiederholt etwas, das sich schon wiederholt; das könnte ewig dauern.</translation>
  </message>
  <message>
   <source>This picture counts as not searched</source>
   <translation>Dieses Bild gilt als nicht durchsucht</translation>
  </message>
  <message>
   <source>This picture is of the film only. Elements belong to the pictures of steps.</source>
   <translation>Dieses Bild gehört nur zum Film. Elemente gehören zu den Bildern von Schritten.</translation>
  </message>
  <message>
   <source>This picture is too small for any of its boxes.</source>
   <translation>Dieses Bild ist zu klein für alle ihre Rahmen.</translation>
  </message>
  <message>
   <source>This quote has no end.</source>
   <translation>Dieses Anführungszeichen wird nicht geschlossen.</translation>
  </message>
  <message>
   <source>This range ends before it begins: {value}.</source>
   <translation>Dieser Bereich endet, bevor er beginnt: {value}.</translation>
  </message>
  <message>
   <source>This recording was started before.</source>
   <translation>Diese Aufnahme wurde schon gestartet.</translation>
  </message>
  <message>
   <source>This row was not tried just now.</source>
   <translation>Diese Zeile wurde gerade nicht versucht.</translation>
  </message>
  <message>
   <source>This screen has {depth} bits per pixel; only true colour with 24 can be recorded.</source>
   <translation>Dieser Bildschirm hat {depth} Bit je Pixel; aufnehmen lässt sich nur Echtfarbe mit 24.</translation>
  </message>
  <message>
   <source>This screen source was closed; open a new one.</source>
   <translation>Diese Bildquelle wurde geschlossen; öffnen Sie eine neue.</translation>
  </message>
  <message>
   <source>This session has no X server to share it with.</source>
   <translation>Diese Sitzung hat keinen X-Server, mit dem sie zu teilen wäre.</translation>
  </message>
  <message>
   <source>This step</source>
   <translation>Dieser Schritt</translation>
  </message>
  <message>
   <source>This step has no target, so nothing else can be as right.</source>
   <translation>Dieser Schritt hat kein Ziel, also kann nichts anderes so richtig sein.</translation>
  </message>
  <message>
   <source>This step is one thing and cannot be split.</source>
   <translation>Dieser Schritt ist unteilbar.</translation>
  </message>
  <message>
   <source>This system has no recording desktops: they are made of X servers.</source>
   <translation>Auf diesem System gibt es keine Aufnahmedesktops: Sie bestehen aus X-Servern.</translation>
  </message>
  <message>
   <source>Those with a tick are removed; choosing one shows it</source>
   <translation>Angehakte werden entfernt; Auswählen zeigt sie</translation>
  </message>
  <message>
   <source>Thought and action a step for UI-TARS 1.5, places in pixels of the picture as it resizes it.</source>
   <translation>Gedanke und Aktion je Schritt für UI-TARS 1.5, Stellen in Pixeln des Bildes, wie es dieses skaliert.</translation>
  </message>
  <message>
   <source>Thought and action a step in UI-TARS' own words, places from 0 to 1000.</source>
   <translation>Gedanke und Aktion je Schritt in den Worten von UI-TARS, Orte von 0 bis 1000.</translation>
  </message>
  <message>
   <source>Through the stages</source>
   <translation>Durch die Stufen</translation>
  </message>
  <message>
   <source>Through the system's accessibility interface: what is typed into a field that a program reports as a password field is stored as &lt;secret:...&gt;. The self-test before a recording says whether programs answer.</source>
   <translation>Über die Barrierefreiheit des Systems: Was in ein Feld getippt wird, das ein Programm als Passwortfeld meldet, wird als &lt;secret:...&gt; gespeichert. Der Selbsttest vor einer Aufnahme sagt, ob Programme antworten.</translation>
  </message>
  <message>
   <source>Tighten</source>
   <translation>Anpassen</translation>
  </message>
  <message>
   <source>Tighten all sides</source>
   <translation>Alle Seiten anpassen</translation>
  </message>
  <message>
   <source>Tighten boxes</source>
   <translation>Rahmen anpassen</translation>
  </message>
  <message>
   <source>Tighten many boxes</source>
   <translation>Viele Rahmen anpassen</translation>
  </message>
  <message>
   <source>Tighten one side</source>
   <translation>Eine Seite anpassen</translation>
  </message>
  <message>
   <source>Tighten one side: then an arrow</source>
   <translation>Eine Seite anpassen: danach eine Pfeiltaste</translation>
  </message>
  <message>
   <source>Tighten the bottom side</source>
   <translation>Untere Seite anpassen</translation>
  </message>
  <message>
   <source>Tighten the left side</source>
   <translation>Linke Seite anpassen</translation>
  </message>
  <message>
   <source>Tighten the right side</source>
   <translation>Rechte Seite anpassen</translation>
  </message>
  <message>
   <source>Tighten the top side</source>
   <translation>Obere Seite anpassen</translation>
  </message>
  <message>
   <source>Tighten to what can be seen; again: to what is around</source>
   <translation>An Sichtbares anpassen; nochmals: an das Umgebende</translation>
  </message>
  <message>
   <source>Tighten {count} boxes</source>
   <translation>{count} Rahmen anpassen</translation>
  </message>
  <message>
   <source>Tighten {count} boxes on {screens} screens</source>
   <translation>{count} Rahmen auf {screens} Bildschirmen anpassen</translation>
  </message>
  <message>
   <source>Tighten {count} elements</source>
   <translation>{count} Elemente anpassen</translation>
  </message>
  <message>
   <source>Tighten {one}</source>
   <translation>{one} anpassen</translation>
  </message>
  <message>
   <source>Tightening boxes</source>
   <translation>Rahmen werden angepasst</translation>
  </message>
  <message>
   <source>Tightening boxes on screen {value} of {elements}</source>
   <translation>Rahmen auf Bildschirm {value} von {elements} werden angepasst</translation>
  </message>
  <message>
   <source>Time</source>
   <translation>Zeit</translation>
  </message>
  <message>
   <source>Time of review</source>
   <translation>Zeit der Durchsicht</translation>
  </message>
  <message>
   <source>Time-out</source>
   <translation>Zeitlimit</translation>
  </message>
  <message>
   <source>Times</source>
   <translation>Anzahl</translation>
  </message>
  <message>
   <source>Title of the window</source>
   <translation>Fenstertitel</translation>
  </message>
  <message>
   <source>To be written: {elements} on {pictures}.</source>
   <translation>Zu schreiben: {elements} auf {pictures}.</translation>
  </message>
  <message>
   <source>To do</source>
   <translation>Offen</translation>
  </message>
  <message>
   <source>To open it yourself: {line}</source>
   <translation>So öffnen Sie es selbst: {line}</translation>
  </message>
  <message>
   <source>To review</source>
   <translation>Offen</translation>
  </message>
  <message>
   <source>To stop it at once: {key}, or push the pointer into a corner of the screen.</source>
   <translation>Sofort anhalten: {key}, oder schieben Sie den Zeiger in eine Ecke des Bildschirms.</translation>
  </message>
  <message>
   <source>To where you began</source>
   <translation>Dorthin, wo Sie begonnen haben</translation>
  </message>
  <message>
   <source>Today</source>
   <translation>Heute</translation>
  </message>
  <message>
   <source>Tokens</source>
   <translation>Token</translation>
  </message>
  <message>
   <source>Too long for the budget: {demos}.</source>
   <translation>Zu lang für das Budget: {demos}.</translation>
  </message>
  <message>
   <source>Top edge in pixels</source>
   <translation>Obere Kante in Pixeln</translation>
  </message>
  <message>
   <source>Top edge, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10</source>
   <translation>Obere Kante, Pixel des Bildschirmfotos; die Pfeiltasten ändern sie um 1, mit Umschalt um 10</translation>
  </message>
  <message>
   <source>Track: it counts as another element over the steps now</source>
   <translation>Spur: über die Schritte gilt es jetzt als ein anderes Element</translation>
  </message>
  <message>
   <source>Train</source>
   <translation>Trainieren</translation>
  </message>
  <message>
   <source>Train it further</source>
   <translation>Weiter trainieren</translation>
  </message>
  <message>
   <source>Train on what you corrected</source>
   <translation>Mit den eigenen Korrekturen trainieren</translation>
  </message>
  <message>
   <source>Trainings</source>
   <translation>Trainings</translation>
  </message>
  <message>
   <source>Triple-click {where}</source>
   <translation>{where} dreifach anklicken</translation>
  </message>
  <message>
   <source>Triple-clicked {where}</source>
   <translation>{where} dreifach angeklickt</translation>
  </message>
  <message>
   <source>Try again</source>
   <translation>Erneut versuchen</translation>
  </message>
  <message>
   <source>Try again.</source>
   <translation>Versuchen Sie es noch einmal.</translation>
  </message>
  <message>
   <source>Try beside</source>
   <translation>Daneben ausprobieren</translation>
  </message>
  <message>
   <source>Try out once more what a recording needs</source>
   <translation>Noch einmal prüfen, was eine Aufnahme braucht</translation>
  </message>
  <message>
   <source>Turn {element} into {value}</source>
   <translation>{element} in {value} ändern</translation>
  </message>
  <message>
   <source>Tutorial to print</source>
   <translation>Anleitung zum Drucken</translation>
  </message>
  <message>
   <source>Two models of one kind are needed. Train one, or add a folder.</source>
   <translation>Zwei Modelle einer Art werden gebraucht. Eines trainieren oder einen Ordner hinzufügen.</translation>
  </message>
  <message>
   <source>Two models side by side</source>
   <translation>Zwei Modelle nebeneinander</translation>
  </message>
  <message>
   <source>Two typings, two scrolls or two clicks can be merged.</source>
   <translation>Zusammenfügen lassen sich zwei Tipp-Schritte, zwei Scroll-Schritte oder zwei Klicks.</translation>
  </message>
  <message>
   <source>Type</source>
   <translation>Typ</translation>
  </message>
  <message>
   <source>Type of the element</source>
   <translation>Typ des Elements</translation>
  </message>
  <message>
   <source>Type of the selection, or of the next box</source>
   <translation>Typ der Auswahl oder des nächsten Rahmens</translation>
  </message>
  <message>
   <source>Type text</source>
   <translation>Text tippen</translation>
  </message>
  <message>
   <source>Type “{text}”</source>
   <translation>„{text}“ tippen</translation>
  </message>
  <message>
   <source>Type “{text}” and Enter</source>
   <translation>„{text}“ und Eingabe tippen</translation>
  </message>
  <message>
   <source>Type “{text}” and Enter in {where}</source>
   <translation>„{text}“ und Eingabe in {where} tippen</translation>
  </message>
  <message>
   <source>Type “{text}” in {where}</source>
   <translation>„{text}“ in {where} tippen</translation>
  </message>
  <message>
   <source>Type, text, states, box and deletion go to the same element on the other pictures too</source>
   <translation>Typ, Text, Zustände, Rahmen und Löschen gelten auch für dasselbe Element auf den anderen Bildern</translation>
  </message>
  <message>
   <source>Typed in step {steps}</source>
   <translation>Getippt in Schritt {steps}</translation>
  </message>
  <message>
   <source>Typed into</source>
   <translation>Getippt in</translation>
  </message>
  <message>
   <source>Typed text is a variable …</source>
   <translation>Getippter Text ist eine Variable …</translation>
  </message>
  <message>
   <source>Typed text that looks like a key, a token or a card number is replaced by &lt;secret:...&gt;.</source>
   <translation>Getippter Text, der wie ein Schlüssel, ein Token oder eine Kartennummer aussieht, wird durch &lt;secret:...&gt; ersetzt.</translation>
  </message>
  <message>
   <source>Typed “{text}”</source>
   <translation>„{text}“ getippt</translation>
  </message>
  <message>
   <source>Typed “{text}” and Enter</source>
   <translation>„{text}“ und Eingabe getippt</translation>
  </message>
  <message>
   <source>Typed “{text}” and Enter in {where}</source>
   <translation>„{text}“ und Eingabe in {where} getippt</translation>
  </message>
  <message>
   <source>Typed “{text}” in {where}</source>
   <translation>„{text}“ in {where} getippt</translation>
  </message>
  <message>
   <source>Types</source>
   <translation>Typen</translation>
  </message>
  <message>
   <source>Types by digit</source>
   <translation>Typen nach Ziffer</translation>
  </message>
  <message>
   <source>Types come from the detector alone</source>
   <translation>Typen kommen allein vom Detektor</translation>
  </message>
  <message>
   <source>Typing interval</source>
   <translation>Tippabstand</translation>
  </message>
  <message>
   <source>Typing pause</source>
   <translation>Tipp-Pause</translation>
  </message>
  <message>
   <source>Typing, scrolling, double clicks and keys pressed several times can.</source>
   <translation>Tippen, Scrollen, Doppelklicks und mehrmals gedrückte Tasten lassen sich teilen.</translation>
  </message>
  <message>
   <source>UFO dataflow results</source>
   <translation>UFO-Dataflow-Ergebnisse</translation>
  </message>
  <message>
   <source>UI-TARS 1.5 talks</source>
   <translation>UI-TARS-1.5-Gespräche</translation>
  </message>
  <message>
   <source>UI-TARS talks</source>
   <translation>UI-TARS-Gespräche</translation>
  </message>
  <message>
   <source>UiPath planner</source>
   <translation>UiPath-Planer</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>Rückgängig</translation>
  </message>
  <message>
   <source>Undo: {label}</source>
   <translation>Rückgängig: {label}</translation>
  </message>
  <message>
   <source>Undone: </source>
   <translation>Rückgängig gemacht: </translation>
  </message>
  <message>
   <source>Unmark {elements} as right in {step}</source>
   <translation>In {step} nicht mehr als richtig kennzeichnen: {elements}</translation>
  </message>
  <message>
   <source>Unmark {element}</source>
   <translation>Kennzeichnung von {element} aufheben</translation>
  </message>
  <message>
   <source>Update demopack, or move the file away.</source>
   <translation>demopack aktualisieren oder die Datei woandershin legen.</translation>
  </message>
  <message>
   <source>Use --dry-run, or run it in a desktop session.</source>
   <translation>Starten Sie es in einer Desktop-Sitzung.</translation>
  </message>
  <message>
   <source>Use another one instead.</source>
   <translation>Stattdessen ein anderes nehmen.</translation>
  </message>
  <message>
   <source>Use another picture after {step}</source>
   <translation>Ein anderes Bild nach {step} verwenden</translation>
  </message>
  <message>
   <source>Use another picture before {step}</source>
   <translation>Ein anderes Bild vor {step} verwenden</translation>
  </message>
  <message>
   <source>Use as after</source>
   <translation>Als „Nachher“ nehmen</translation>
  </message>
  <message>
   <source>Use as before</source>
   <translation>Als „Vorher“ nehmen</translation>
  </message>
  <message>
   <source>Use as target</source>
   <translation>Als Ziel nehmen</translation>
  </message>
  <message>
   <source>Use as the step's target</source>
   <translation>Als Ziel des Schritts nehmen</translation>
  </message>
  <message>
   <source>Use it</source>
   <translation>Verwenden</translation>
  </message>
  <message>
   <source>Use it for {mine}; {theirs} has no key then</source>
   <translation>Für {mine} nehmen; {theirs} hat dann keine Taste</translation>
  </message>
  <message>
   <source>Use letters, digits and underscores, and begin with a letter, for instance customer_name.</source>
   <translation>Buchstaben, Ziffern und Unterstriche verwenden und mit einem Buchstaben beginnen, zum Beispiel kundenname.</translation>
  </message>
  <message>
   <source>Use letters, digits, - and _, a letter first.</source>
   <translation>Buchstaben, Ziffern, - und _ verwenden, mit einem Buchstaben beginnen.</translation>
  </message>
  <message>
   <source>Use the picture as after</source>
   <translation>Das Bild als „Nachher“ nehmen</translation>
  </message>
  <message>
   <source>Use the picture as before</source>
   <translation>Das Bild als „Vorher“ nehmen</translation>
  </message>
  <message>
   <source>Use this picture as the one after the step</source>
   <translation>Dieses Bild als das nach dem Schritt nehmen</translation>
  </message>
  <message>
   <source>Use this picture as the one before the step</source>
   <translation>Dieses Bild als das vor dem Schritt nehmen</translation>
  </message>
  <message>
   <source>Use {key} all the same</source>
   <translation>{key} trotzdem nehmen</translation>
  </message>
  <message>
   <source>Validation: {value}</source>
   <translation>Validierung: {value}</translation>
  </message>
  <message>
   <source>Value of {name}</source>
   <translation>Wert von {name}</translation>
  </message>
  <message>
   <source>Values</source>
   <translation>Werte</translation>
  </message>
  <message>
   <source>Variable</source>
   <translation>Variable</translation>
  </message>
  <message>
   <source>Versions are compared within one demo; choose Step, Selected or Demo.</source>
   <translation>Fassungen werden innerhalb einer Demo verglichen; Schritt, Auswahl oder Demo wählen.</translation>
  </message>
  <message>
   <source>View</source>
   <translation>Ansicht</translation>
  </message>
  <message>
   <source>Wait</source>
   <translation>Warten</translation>
  </message>
  <message>
   <source>Wait before the first step</source>
   <translation>Vor dem ersten Schritt warten</translation>
  </message>
  <message>
   <source>Wait until it has ended.</source>
   <translation>Warten Sie, bis es fertig ist.</translation>
  </message>
  <message>
   <source>Wait {seconds:g} s</source>
   <translation>{seconds:g} s warten</translation>
  </message>
  <message>
   <source>Waited {seconds:g} s</source>
   <translation>{seconds:g} s gewartet</translation>
  </message>
  <message>
   <source>Waiting for you</source>
   <translation>Wartet auf Eingaben</translation>
  </message>
  <message>
   <source>Waking the models …</source>
   <translation>Modelle werden geladen …</translation>
  </message>
  <message>
   <source>WebDataset</source>
   <translation>WebDataset</translation>
  </message>
  <message>
   <source>What a person drew, accepted, corrected or rejected stays as it is.</source>
   <translation>Was ein Mensch gezeichnet, angenommen, korrigiert oder abgelehnt hat, bleibt, wie es ist.</translation>
  </message>
  <message>
   <source>What a recording must never hold.</source>
   <translation>Was eine Aufnahme nie enthalten darf.</translation>
  </message>
  <message>
   <source>What are you going to do? For instance: log in and export the report</source>
   <translation>Was soll getan werden? Zum Beispiel: anmelden und den Bericht exportieren</translation>
  </message>
  <message>
   <source>What became of suggestions, by source</source>
   <translation>Was aus Vorschlägen wurde, nach Quelle</translation>
  </message>
  <message>
   <source>What became of suggestions, by type</source>
   <translation>Was aus Vorschlägen wurde, nach Typ</translation>
  </message>
  <message>
   <source>What becomes of this row</source>
   <translation>Was aus dieser Zeile wird</translation>
  </message>
  <message>
   <source>What came with demopack stays.</source>
   <translation>Was mit demopack geliefert wurde, bleibt.</translation>
  </message>
  <message>
   <source>What can be written here</source>
   <translation>Was hier stehen kann</translation>
  </message>
  <message>
   <source>What changed</source>
   <translation>Was anders ist</translation>
  </message>
  <message>
   <source>What changed on the screen</source>
   <translation>Was sich auf dem Bildschirm geändert hat</translation>
  </message>
  <message>
   <source>What each step changed on the screen was as recorded.</source>
   <translation>Was jeder Schritt am Bildschirm änderte, war wie aufgenommen.</translation>
  </message>
  <message>
   <source>What everything below is made from: all of the demo, checked. demopack reads it again.</source>
   <translation>Woraus alles Weitere gemacht wird: die ganze Demo, geprüft. demopack liest es wieder.</translation>
  </message>
  <message>
   <source>What happened</source>
   <translation>Was geschehen ist</translation>
  </message>
  <message>
   <source>What is changed about this element is changed on this picture</source>
   <translation>Was an diesem Element geändert wird, ändert sich nur auf diesem Bild</translation>
  </message>
  <message>
   <source>What is not as it was, and what it was</source>
   <translation>Was nicht mehr so ist, und wie es war</translation>
  </message>
  <message>
   <source>What is read</source>
   <translation>Was ausgelesen wird</translation>
  </message>
  <message>
   <source>What is to be done?</source>
   <translation>Was ist zu tun?</translation>
  </message>
  <message>
   <source>What is written in a box that was drawn or changed is filled in, and a new icon gets its name, unless you wrote it.</source>
   <translation>Was in einem gezeichneten oder geänderten Rahmen steht, wird eingetragen, und ein neues Symbol bekommt seinen Namen, sofern nichts von Hand geschrieben wurde.</translation>
  </message>
  <message>
   <source>What is written on it</source>
   <translation>Was darauf steht</translation>
  </message>
  <message>
   <source>What it acts on was not found on the screen.</source>
   <translation>Worauf er wirkt, wurde auf dem Bildschirm nicht gefunden.</translation>
  </message>
  <message>
   <source>What it does, or a key</source>
   <translation>Was sie tut, oder eine Taste</translation>
  </message>
  <message>
   <source>What it has seen</source>
   <translation>Was es gesehen hat</translation>
  </message>
  <message>
   <source>What it is</source>
   <translation>Was es ist</translation>
  </message>
  <message>
   <source>What it is; digits choose the most used types</source>
   <translation>Was es ist; Ziffern wählen die häufigsten Typen</translation>
  </message>
  <message>
   <source>What it looks like {where}</source>
   <translation>Wie es {where} aussieht</translation>
  </message>
  <message>
   <source>What it shows while empty</source>
   <translation>Was es zeigt, solange es leer ist</translation>
  </message>
  <message>
   <source>What matters here?</source>
   <translation>Was ist hier wichtig?</translation>
  </message>
  <message>
   <source>What may be private</source>
   <translation>Was privat sein könnte</translation>
  </message>
  <message>
   <source>What names icons: shipped, the name of a model of your own, or a model folder; empty for none.</source>
   <translation>Was Symbole benennt: shipped, der Name eines eigenen Modells oder ein Modellordner; leer für keines.</translation>
  </message>
  <message>
   <source>What part of the screen is captured</source>
   <translation>Welcher Teil des Bildschirms aufgenommen wird</translation>
  </message>
  <message>
   <source>What programs report has reached its size; the steps are recorded on.</source>
   <translation>Die Angaben der Programme haben ihre Größe erreicht; die Schritte werden weiter aufgenommen.</translation>
  </message>
  <message>
   <source>What programs report of their windows is kept beside the pictures.</source>
   <translation>Was Programme über ihre Fenster angeben, wird neben den Bildern gespeichert.</translation>
  </message>
  <message>
   <source>What should it learn from?</source>
   <translation>Woraus soll es lernen?</translation>
  </message>
  <message>
   <source>What the demo does</source>
   <translation>Was die Demo tut</translation>
  </message>
  <message>
   <source>What the demo has</source>
   <translation>Was die Demo hat</translation>
  </message>
  <message>
   <source>What the demo is</source>
   <translation>Was die Demo ist</translation>
  </message>
  <message>
   <source>What the file it came from says</source>
   <translation>Was die Datei sagt, aus der sie stammt</translation>
  </message>
  <message>
   <source>What the judge says about it</source>
   <translation>Was der Gutachter dazu sagt</translation>
  </message>
  <message>
   <source>What the writer saw</source>
   <translation>Was der Verfasser sah</translation>
  </message>
  <message>
   <source>What to capture</source>
   <translation>Was aufgenommen wird</translation>
  </message>
  <message>
   <source>What to do</source>
   <translation>Was zu tun ist</translation>
  </message>
  <message>
   <source>What was copied or pasted is kept beside its step.</source>
   <translation>Was kopiert oder eingefügt wurde, bleibt neben seinem Schritt gespeichert.</translation>
  </message>
  <message>
   <source>What was corrected</source>
   <translation>Was korrigiert wurde</translation>
  </message>
  <message>
   <source>What was decided about private values</source>
   <translation>Was über private Angaben entschieden wurde</translation>
  </message>
  <message>
   <source>What was done</source>
   <translation>Was getan wurde</translation>
  </message>
  <message>
   <source>What was done to it</source>
   <translation>Was damit getan wurde</translation>
  </message>
  <message>
   <source>What was exported to {folder} before is replaced.</source>
   <translation>Was schon nach {folder} exportiert wurde, wird ersetzt.</translation>
  </message>
  <message>
   <source>What was the task?</source>
   <translation>Was war die Aufgabe?</translation>
  </message>
  <message>
   <source>What was to be done</source>
   <translation>Was zu tun war</translation>
  </message>
  <message>
   <source>What was written</source>
   <translation>Was geschrieben wurde</translation>
  </message>
  <message>
   <source>What went wrong</source>
   <translation>Was schiefging</translation>
  </message>
  <message>
   <source>What would be lost</source>
   <translation>Was verloren ginge</translation>
  </message>
  <message>
   <source>What would happen</source>
   <translation>Was geschähe</translation>
  </message>
  <message>
   <source>What you change here is kept in {path}</source>
   <translation>Was Sie hier ändern, steht in {path}</translation>
  </message>
  <message>
   <source>What you corrected teaches the models. Training goes on in a process of its own: the app may be closed, and a training that was stopped can be continued.</source>
   <translation>Die eigenen Korrekturen lehren die Modelle. Das Training läuft in einem eigenen Prozess weiter: Die App darf geschlossen werden, und ein angehaltenes Training lässt sich fortsetzen.</translation>
  </message>
  <message>
   <source>What you said about it</source>
   <translation>Wie es beurteilt wurde</translation>
  </message>
  <message>
   <source>What you show happens in the recording desktop, a window that opens now or with the recording; its button Programs opens what you need. Keys that your session keeps for itself, such as Super and Alt+Tab, do not arrive there.</source>
   <translation>Was Sie zeigen, geschieht in der Aufnahme-Arbeitsfläche, einem Fenster, das jetzt oder mit der Aufnahme aufgeht; ihr Knopf „Programme“ öffnet, was Sie brauchen. Tasten, die Ihre Sitzung für sich behält, etwa Super und Alt+Tab, kommen dort nicht an.</translation>
  </message>
  <message>
   <source>What you type is stored, passwords too.</source>
   <translation>Was Sie tippen, wird gespeichert, auch Passwörter.</translation>
  </message>
  <message>
   <source>Wheel</source>
   <translation>Mausrad</translation>
  </message>
  <message>
   <source>When it was recorded</source>
   <translation>Wann sie aufgenommen wurde</translation>
  </message>
  <message>
   <source>Where</source>
   <translation>Wo</translation>
  </message>
  <message>
   <source>Where are the annotations?</source>
   <translation>Wo sind die Annotationen?</translation>
  </message>
  <message>
   <source>Where programs do not tell which fields hold passwords, everything typed counts as a secret.</source>
   <translation>Wo Programme nicht sagen, welche Felder Passwörter enthalten, gilt alles Getippte als Geheimnis.</translation>
  </message>
  <message>
   <source>Where should the annotations go?</source>
   <translation>Wohin sollen die Annotationen?</translation>
  </message>
  <message>
   <source>Where should the folder go?</source>
   <translation>Wohin soll der Ordner?</translation>
  </message>
  <message>
   <source>Where the drag ended, from the left</source>
   <translation>Wo das Ziehen endete, von links</translation>
  </message>
  <message>
   <source>Where the drag ended, from the top</source>
   <translation>Wo das Ziehen endete, von oben</translation>
  </message>
  <message>
   <source>Where the drag ended, pixels from the left; the arrow keys change it by 1, with Shift by 10</source>
   <translation>Wo das Ziehen endete, Pixel von links; die Pfeiltasten ändern es um 1, mit Umschalt um 10</translation>
  </message>
  <message>
   <source>Where the drag ended, pixels from the top; the arrow keys change it by 1, with Shift by 10</source>
   <translation>Wo das Ziehen endete, Pixel von oben; die Pfeiltasten ändern es um 1, mit Umschalt um 10</translation>
  </message>
  <message>
   <source>Where the pointer acted, from the left</source>
   <translation>Wo der Zeiger wirkte, von links</translation>
  </message>
  <message>
   <source>Where the pointer acted, from the top</source>
   <translation>Wo der Zeiger wirkte, von oben</translation>
  </message>
  <message>
   <source>Where the pointer acted, pixels from the left; the arrow keys change it by 1, with Shift by 10</source>
   <translation>Wo der Zeiger wirkte, Pixel von links; die Pfeiltasten ändern es um 1, mit Umschalt um 10</translation>
  </message>
  <message>
   <source>Where the pointer acted, pixels from the top; the arrow keys change it by 1, with Shift by 10</source>
   <translation>Wo der Zeiger wirkte, Pixel von oben; die Pfeiltasten ändern es um 1, mit Umschalt um 10</translation>
  </message>
  <message>
   <source>Where their work on the same pictures differs, and who was right</source>
   <translation>Wo sich die Arbeit anderer an denselben Bildern unterscheidet und wer recht hatte</translation>
  </message>
  <message>
   <source>Where there is none</source>
   <translation>Wo es keine gibt</translation>
  </message>
  <message>
   <source>Where to cut</source>
   <translation>Wo geteilt wird</translation>
  </message>
  <message>
   <source>Where to cut (left and right arrow, Enter splits)</source>
   <translation>Wo geteilt wird (Pfeil links und rechts, Eingabe teilt)</translation>
  </message>
  <message>
   <source>Where to look</source>
   <translation>Wo gesucht wird</translation>
  </message>
  <message>
   <source>Where {name} comes from</source>
   <translation>Woher {name} kommt</translation>
  </message>
  <message>
   <source>Whether it can be done</source>
   <translation>Ob sie machbar ist</translation>
  </message>
  <message>
   <source>Whether it gets pictures; auto goes by the model's name.</source>
   <translation>Ob es Bilder bekommt; auto richtet sich nach dem Namen des Modells.</translation>
  </message>
  <message>
   <source>Which differences are listed</source>
   <translation>Welche Unterschiede aufgeführt sind</translation>
  </message>
  <message>
   <source>Which files tell what is to be done?</source>
   <translation>Welche Dateien sagen, was zu tun ist?</translation>
  </message>
  <message>
   <source>Which icon or shape</source>
   <translation>Welches Symbol oder welche Form</translation>
  </message>
  <message>
   <source>Which icon or shape it is; known words complete themselves, any other can be written</source>
   <translation>Welches Symbol oder welche Form es ist; bekannte Wörter vervollständigen sich, jedes andere lässt sich schreiben</translation>
  </message>
  <message>
   <source>Which model folder?</source>
   <translation>Welcher Modellordner?</translation>
  </message>
  <message>
   <source>Which model writes and judges rationales, and what it may cost.</source>
   <translation>Welches Modell Begründungen schreibt und beurteilt und was es kosten darf.</translation>
  </message>
  <message>
   <source>Which models there are, and which are used</source>
   <translation>Welche Modelle es gibt und welche verwendet werden</translation>
  </message>
  <message>
   <source>Which one was meant?</source>
   <translation>Welches war gemeint?</translation>
  </message>
  <message>
   <source>Which one, for instance search</source>
   <translation>Welches, zum Beispiel search</translation>
  </message>
  <message>
   <source>Which parts of the prompt are there, as in the paper's comparison</source>
   <translation>Welche Teile der Prompt hat, wie im Vergleich der Veröffentlichung</translation>
  </message>
  <message>
   <source>Which steps</source>
   <translation>Welche Schritte</translation>
  </message>
  <message>
   <source>Which steps are meant</source>
   <translation>Welche Schritte gemeint sind</translation>
  </message>
  <message>
   <source>While you record, that program would react to it as well, and its answer would be in your recording.</source>
   <translation>Während der Aufnahme würde jenes Programm auch darauf reagieren, und seine Antwort wäre in der Aufnahme.</translation>
  </message>
  <message>
   <source>Who found it</source>
   <translation>Wer es gefunden hat</translation>
  </message>
  <message>
   <source>Whole picture</source>
   <translation>Ganzes Bild</translation>
  </message>
  <message>
   <source>Whole window</source>
   <translation>Ganzes Fenster</translation>
  </message>
  <message>
   <source>Whose work</source>
   <translation>Wessen Arbeit</translation>
  </message>
  <message>
   <source>Whose work should be compared?</source>
   <translation>Wessen Arbeit soll verglichen werden?</translation>
  </message>
  <message>
   <source>Why did it fail?</source>
   <translation>Warum ist es fehlgeschlagen?</translation>
  </message>
  <message>
   <source>Why it cannot be done</source>
   <translation>Warum sie nicht geht</translation>
  </message>
  <message>
   <source>Why it failed</source>
   <translation>Warum es misslang</translation>
  </message>
  <message>
   <source>Why it is unsure</source>
   <translation>Warum es unsicher ist</translation>
  </message>
  <message>
   <source>Why it was not started</source>
   <translation>Warum nicht gestartet wurde</translation>
  </message>
  <message>
   <source>Why this step? What is seen, what is chosen, what should happen.</source>
   <translation>Warum dieser Schritt? Was zu sehen ist, was gewählt wird, was geschehen soll.</translation>
  </message>
  <message>
   <source>Width in pixels</source>
   <translation>Breite in Pixeln</translation>
  </message>
  <message>
   <source>Width, pixels of the screenshot; the arrow keys change it by 1, with Shift by 10</source>
   <translation>Breite, Pixel des Bildschirmfotos; die Pfeiltasten ändern sie um 1, mit Umschalt um 10</translation>
  </message>
  <message>
   <source>Window</source>
   <translation>Fenster</translation>
  </message>
  <message>
   <source>Window without a title</source>
   <translation>Fenster ohne Titel</translation>
  </message>
  <message>
   <source>With a plan</source>
   <translation>Mit Plan</translation>
  </message>
  <message>
   <source>With the pictures</source>
   <translation>Mit den Bildern</translation>
  </message>
  <message>
   <source>Without a describer elements keep the type that the detector gave them; states are not told.</source>
   <translation>Ohne Beschreiber behalten Elemente den Typ, den der Detektor ihnen gab; Zustände werden nicht bestimmt.</translation>
  </message>
  <message>
   <source>Without a detector elements are still found, by text and by shape, but fewer of them.</source>
   <translation>Ohne Detektor werden Elemente immer noch gefunden, nach Text und Form, aber weniger.</translation>
  </message>
  <message>
   <source>Without a network for icons only the describer tells what icons mean, and it knows few.</source>
   <translation>Ohne Symbolnetz sagt allein der Beschreiber, was Symbole bedeuten, und er kennt wenige.</translation>
  </message>
  <message>
   <source>Without it what was drawn, approved or rejected here stays as it is</source>
   <translation>Ohne dies bleibt, was hier gezeichnet, bestätigt oder abgelehnt wurde, wie es ist</translation>
  </message>
  <message>
   <source>Words are looked for in task and application. Also app:name, is:partial, review:todo, steps:&gt;10, date:2026-05 and more: begin to type a key to see them. “or”, parentheses, /patterns/, and a minus for “not” work too.</source>
   <translation>Gesucht werden Wörter in Aufgabe und Anwendung. Auch app:name, is:partial, review:todo, steps:&gt;10, date:2026-05 und mehr: Beim Tippen eines Schlüssels werden sie angezeigt. „or“, Klammern, /Muster/ und ein Minus für „nicht“ gehen auch.</translation>
  </message>
  <message>
   <source>Words are looked for in the text. Also type:button, state:checked, conf:&lt;0.6, review:todo, step:3-7 and more: begin to type a key to see them</source>
   <translation>Gesucht werden Wörter im Text. Auch type:button, state:checked, conf:&lt;0.6, review:todo, step:3-7 und mehr: Beim Tippen eines Schlüssels werden sie angezeigt</translation>
  </message>
  <message>
   <source>Words by a model {who}</source>
   <translation>Von einem Modell geschrieben {who}</translation>
  </message>
  <message>
   <source>Words of task and plan, each as it begins</source>
   <translation>Wörter aus Aufgabe und Plan, je vom Anfang an</translation>
  </message>
  <message>
   <source>Words to look for in the history</source>
   <translation>Wörter, nach denen im Verlauf gesucht wird</translation>
  </message>
  <message>
   <source>Work as you always do. Stop in the panel of the desktop; that becomes no step.</source>
   <translation>Arbeiten Sie wie immer. Beenden Sie in der Leiste der Arbeitsfläche; daraus wird kein Schritt.</translation>
  </message>
  <message>
   <source>Work as you always do. Stop {stop}; neither becomes a step.</source>
   <translation>Arbeiten wie immer. Beenden {stop}; beides wird kein Schritt.</translation>
  </message>
  <message>
   <source>Work in every window while something is recorded, and never become steps.</source>
   <translation>Wirken in jedem Fenster, während aufgenommen wird, und werden nie zu Schritten.</translation>
  </message>
  <message>
   <source>Work once, not on every screen</source>
   <translation>Einmal arbeiten, nicht auf jedem Bildschirm</translation>
  </message>
  <message>
   <source>Work without</source>
   <translation>Ohne arbeiten</translation>
  </message>
  <message>
   <source>Work without a {kind}</source>
   <translation>Ohne {kind} arbeiten</translation>
  </message>
  <message>
   <source>Write</source>
   <translation>Schreiben</translation>
  </message>
  <message>
   <source>Write a key, for instance Ctrl+S.</source>
   <translation>Eine Taste schreiben, zum Beispiel Ctrl+S.</translation>
  </message>
  <message>
   <source>Write a note</source>
   <translation>Notiz schreiben</translation>
  </message>
  <message>
   <source>Write a note on the last step</source>
   <translation>Notiz zum letzten Schritt schreiben</translation>
  </message>
  <message>
   <source>Write a note on the last step.</source>
   <translation>Eine Notiz zum letzten Schritt schreiben.</translation>
  </message>
  <message>
   <source>Write a note …</source>
   <translation>Notiz schreiben …</translation>
  </message>
  <message>
   <source>Write and store, each step as soon as it is there</source>
   <translation>Schreiben und speichern, jeder Schritt, sobald er fertig ist</translation>
  </message>
  <message>
   <source>Write beside what is there, to compare; nothing is stored</source>
   <translation>Neben dem Vorhandenen schreiben, zum Vergleichen; nichts wird gespeichert</translation>
  </message>
  <message>
   <source>Write every picture beside its boxes</source>
   <translation>Jedes Bild neben seine Rahmen schreiben</translation>
  </message>
  <message>
   <source>Write four whole numbers a line: left, top, right, bottom; right and bottom are larger.</source>
   <translation>Vier ganze Zahlen je Zeile schreiben: links, oben, rechts, unten; rechts und unten sind größer.</translation>
  </message>
  <message>
   <source>Write here</source>
   <translation>Hierhin schreiben</translation>
  </message>
  <message>
   <source>Write it</source>
   <translation>Schreiben</translation>
  </message>
  <message>
   <source>Write it into its field, and start again.</source>
   <translation>Schreiben Sie ihn in sein Feld und starten Sie noch einmal.</translation>
  </message>
  <message>
   <source>Write nothing and go back</source>
   <translation>Nichts schreiben und zurück</translation>
  </message>
  <message>
   <source>Write rationales</source>
   <translation>Begründungen schreiben</translation>
  </message>
  <message>
   <source>Write the element's text</source>
   <translation>Text des Elements schreiben</translation>
  </message>
  <message>
   <source>Write the note on {step}</source>
   <translation>Notiz zu {step} schreiben</translation>
  </message>
  <message>
   <source>Write the rationale</source>
   <translation>Begründung schreiben</translation>
  </message>
  <message>
   <source>Write the rationale of {step}</source>
   <translation>Begründung von {step} schreiben</translation>
  </message>
  <message>
   <source>Write the text that was typed.</source>
   <translation>Den getippten Text schreiben.</translation>
  </message>
  <message>
   <source>Write the versions again.</source>
   <translation>Die Fassungen noch einmal schreiben.</translation>
  </message>
  <message>
   <source>Write them where the format can tell them from the others</source>
   <translation>Werden geschrieben, wo das Format sie von den übrigen unterscheiden kann</translation>
  </message>
  <message>
   <source>Write this demo as a pack, or in another program's format</source>
   <translation>Diese Demo als Paket oder im Format eines anderen Programms schreiben</translation>
  </message>
  <message>
   <source>Write what was read</source>
   <translation>Das Gelesene schreiben</translation>
  </message>
  <message>
   <source>Write what was read on the picture</source>
   <translation>Das auf dem Bild Gelesene schreiben</translation>
  </message>
  <message>
   <source>Write what was read on {count} elements</source>
   <translation>Gelesenes auf {count} Elemente schreiben</translation>
  </message>
  <message>
   <source>Write “{text}” on {element}, as read</source>
   <translation>„{text}“ auf {element} schreiben, wie gelesen</translation>
  </message>
  <message>
   <source>Write “{text}”, as read</source>
   <translation>„{text}“ schreiben, wie gelesen</translation>
  </message>
  <message>
   <source>Writer</source>
   <translation>Verfasser</translation>
  </message>
  <message>
   <source>Writing annotations</source>
   <translation>Annotationen schreiben</translation>
  </message>
  <message>
   <source>Writing rationales</source>
   <translation>Begründungen werden geschrieben</translation>
  </message>
  <message>
   <source>Writing the pack</source>
   <translation>Paket wird geschrieben</translation>
  </message>
  <message>
   <source>Writing versions</source>
   <translation>Fassungen werden geschrieben</translation>
  </message>
  <message>
   <source>Written: {elements} on {pictures}.</source>
   <translation>Geschrieben: {elements} auf {pictures}.</translation>
  </message>
  <message>
   <source>Wrote {written} rationales.</source>
   <translation>{written} Begründungen geschrieben.</translation>
  </message>
  <message>
   <source>X-AnyLabeling</source>
   <translation>X-AnyLabeling</translation>
  </message>
  <message>
   <source>Xephyr is not installed</source>
   <translation>Xephyr ist nicht installiert</translation>
  </message>
  <message>
   <source>Xephyr needs an X server, and DISPLAY is not set</source>
   <translation>Xephyr braucht einen X-Server, und DISPLAY ist nicht gesetzt</translation>
  </message>
  <message>
   <source>Xwayland is not installed</source>
   <translation>Xwayland ist nicht installiert</translation>
  </message>
  <message>
   <source>Xwayland needs a Wayland session</source>
   <translation>Xwayland braucht eine Wayland-Sitzung</translation>
  </message>
  <message>
   <source>Xwayland {version} is older than {needed}</source>
   <translation>Xwayland {version} ist älter als {needed}</translation>
  </message>
  <message>
   <source>YOLO detection</source>
   <translation>YOLO-Erkennung</translation>
  </message>
  <message>
   <source>YOLO labels of the elements</source>
   <translation>YOLO-Labels der Elemente</translation>
  </message>
  <message>
   <source>Yes</source>
   <translation>Ja</translation>
  </message>
  <message>
   <source>You marked this step as doubtful.</source>
   <translation>Dieser Schritt wurde als zweifelhaft gekennzeichnet.</translation>
  </message>
  <message>
   <source>You rejected {name}, they did not</source>
   <translation>{name}: von dir abgelehnt, von der anderen Person nicht</translation>
  </message>
  <message>
   <source>Your input arrives, but no pictures of the screen do.</source>
   <translation>Ihre Eingaben kommen an, aber keine Bilder des Bildschirms.</translation>
  </message>
  <message>
   <source>Your input does not arrive here. A program with administrator rights is in front, or Windows has removed the hook: click into another window; if this stays, start a new recording.</source>
   <translation>Ihre Eingaben kommen hier nicht an. Ein Programm mit Administratorrechten ist im Vordergrund, oder Windows hat das Mithören beendet: Klicken Sie in ein anderes Fenster; wenn das bleibt, beginnen Sie eine neue Aufnahme.</translation>
  </message>
  <message>
   <source>Your own choice</source>
   <translation>Eigene Wahl</translation>
  </message>
  <message>
   <source>Zoom</source>
   <translation>Zoom</translation>
  </message>
  <message>
   <source>Zoom in</source>
   <translation>Vergrößern</translation>
  </message>
  <message>
   <source>Zoom out</source>
   <translation>Verkleinern</translation>
  </message>
  <message>
   <source>a judge does not say that the task was done</source>
   <translation>der Gutachter sagt nicht, dass die Aufgabe erledigt wurde</translation>
  </message>
  <message>
   <source>a judge found the step needless</source>
   <translation>der Gutachter nennt den Schritt überflüssig</translation>
  </message>
  <message>
   <source>a judge found the step wrong</source>
   <translation>der Gutachter nennt den Schritt falsch</translation>
  </message>
  <message>
   <source>a judge's labels, parts of the task and view of the task's wording</source>
   <translation>Bezeichnungen des Gutachters, Teile der Aufgabe und was er vom Wortlaut der Aufgabe hält</translation>
  </message>
  <message>
   <source>a line is a class and a box</source>
   <translation>eine Zeile nur aus Klasse und Rahmen besteht</translation>
  </message>
  <message>
   <source>a person said that the step is to be left out</source>
   <translation>der Schritt wurde verworfen</translation>
  </message>
  <message>
   <source>a spot</source>
   <translation>eine Stelle</translation>
  </message>
  <message>
   <source>a window without a title</source>
   <translation>ein Fenster ohne Titel</translation>
  </message>
  <message>
   <source>a {role} called “{name}”</source>
   <translation>vom Typ {role} mit dem Namen „{name}“</translation>
  </message>
  <message>
   <source>a {role} without a name</source>
   <translation>vom Typ {role} ohne Namen</translation>
  </message>
  <message>
   <source>actions of this kind stand alone</source>
   <translation>Aktionen dieser Art stehen für sich</translation>
  </message>
  <message>
   <source>after step {step}</source>
   <translation>nach Schritt {step}</translation>
  </message>
  <message>
   <source>after {sent} of {total} key had been sent to {window}</source>
   <translation>nach {sent} von {total} Taste an {window}</translation>
  </message>
  <message>
   <source>after {sent} of {total} keys had been sent to {window}</source>
   <translation>nach {sent} von {total} Tasten an {window}</translation>
  </message>
  <message>
   <source>age not known</source>
   <translation>Alter nicht bekannt</translation>
  </message>
  <message>
   <source>an element without a name ({role})</source>
   <translation>ein Element ohne Namen ({role})</translation>
  </message>
  <message>
   <source>an entry is text or icon, a box and its content</source>
   <translation>ein Eintrag nur aus Text oder Symbol, Rahmen und Inhalt besteht</translation>
  </message>
  <message>
   <source>and</source>
   <translation>und</translation>
  </message>
  <message>
   <source>and {count} more rows without line ends or tabs</source>
   <translation>und {count} weitere Zeilen ohne Zeilenumbrüche oder Tabulatoren</translation>
  </message>
  <message>
   <source>annotations that were skipped</source>
   <translation>übersprungene Annotationen</translation>
  </message>
  <message>
   <source>another element</source>
   <translation>ein anderes Element</translation>
  </message>
  <message>
   <source>another language</source>
   <translation>andere Sprache</translation>
  </message>
  <message>
   <source>another platform</source>
   <translation>andere Plattform</translation>
  </message>
  <message>
   <source>another program</source>
   <translation>anderes Programm</translation>
  </message>
  <message>
   <source>another window, {window},</source>
   <translation>ein anderes Fenster, {window},</translation>
  </message>
  <message>
   <source>approved</source>
   <translation>bestätigt</translation>
  </message>
  <message>
   <source>as on the desktop</source>
   <translation>wie auf dem Desktop</translation>
  </message>
  <message>
   <source>as recorded</source>
   <translation>wie aufgenommen</translation>
  </message>
  <message>
   <source>at</source>
   <translation>bei</translation>
  </message>
  <message>
   <source>at rest{settle}</source>
   <translation>in Ruhe{settle}</translation>
  </message>
  <message>
   <source>attributes that an element of this type has not</source>
   <translation>Attribute, die ein Element dieses Typs nicht hat</translation>
  </message>
  <message>
   <source>bank account</source>
   <translation>Bankkonto</translation>
  </message>
  <message>
   <source>becomes {placeholder}</source>
   <translation>wird zu {placeholder}</translation>
  </message>
  <message>
   <source>before a key was sent to {window}</source>
   <translation>vor der ersten Taste an {window}</translation>
  </message>
  <message>
   <source>before step {step}</source>
   <translation>vor Schritt {step}</translation>
  </message>
  <message>
   <source>before step {value}</source>
   <translation>vor Schritt {value}</translation>
  </message>
  <message>
   <source>begun with what came with demopack</source>
   <translation>begonnen mit dem Modell, das mit demopack geliefert wurde</translation>
  </message>
  <message>
   <source>begun with {model}</source>
   <translation>begonnen mit {model}</translation>
  </message>
  <message>
   <source>behind step {value}</source>
   <translation>hinter Schritt {value}</translation>
  </message>
  <message>
   <source>boxes on pictures that were turned</source>
   <translation>Rahmen auf gedrehten Bildern</translation>
  </message>
  <message>
   <source>boxes without area, or beside their picture</source>
   <translation>Rahmen ohne Fläche oder neben dem Bild</translation>
  </message>
  <message>
   <source>button</source>
   <translation>Schaltfläche</translation>
  </message>
  <message>
   <source>by a schema</source>
   <translation>mit einem Schema</translation>
  </message>
  <message>
   <source>by the prompt</source>
   <translation>mit dem Prompt</translation>
  </message>
  <message>
   <source>by {name}, {day}</source>
   <translation>von {name}, {day}</translation>
  </message>
  <message>
   <source>cannot be seen</source>
   <translation>nicht zu sehen</translation>
  </message>
  <message>
   <source>canvas</source>
   <translation>Zeichenfläche</translation>
  </message>
  <message>
   <source>carried over</source>
   <translation>übernommen</translation>
  </message>
  <message>
   <source>checkbox</source>
   <translation>Kästchen</translation>
  </message>
  <message>
   <source>checked</source>
   <translation>angehakt</translation>
  </message>
  <message>
   <source>circles in a row</source>
   <translation>Kreise in einer Reihe</translation>
  </message>
  <message>
   <source>click</source>
   <translation>Klick</translation>
  </message>
  <message>
   <source>closed shape</source>
   <translation>geschlossene Form</translation>
  </message>
  <message>
   <source>collapsed</source>
   <translation>zugeklappt</translation>
  </message>
  <message>
   <source>collected</source>
   <translation>gesammelt</translation>
  </message>
  <message>
   <source>column {name}</source>
   <translation>Spalte {name}</translation>
  </message>
  <message>
   <source>control characters in texts, which become �</source>
   <translation>Steuerzeichen in Texten, die zu � werden</translation>
  </message>
  <message>
   <source>could not be done</source>
   <translation>ließ sich nicht erledigen</translation>
  </message>
  <message>
   <source>cross at the end of a tab</source>
   <translation>Kreuz am Ende einer Registerkarte</translation>
  </message>
  <message>
   <source>crowds, which stand for many elements</source>
   <translation>Mengen, die für viele Elemente stehen</translation>
  </message>
  <message>
   <source>damaged</source>
   <translation>beschädigt</translation>
  </message>
  <message>
   <source>dark</source>
   <translation>dunkel</translation>
  </message>
  <message>
   <source>demo</source>
   <translation>Demo</translation>
  </message>
  <message>
   <source>demopack region</source>
   <translation>demopack: Bereich</translation>
  </message>
  <message>
   <source>demopack {lower}</source>
   <translation>demopack {lower}</translation>
  </message>
  <message>
   <source>describer</source>
   <translation>Beschreiber</translation>
  </message>
  <message>
   <source>detector</source>
   <translation>Detektor</translation>
  </message>
  <message>
   <source>dialog</source>
   <translation>Dialog</translation>
  </message>
  <message>
   <source>did not respond</source>
   <translation>hat nicht geantwortet</translation>
  </message>
  <message>
   <source>different</source>
   <translation>verschieden</translation>
  </message>
  <message>
   <source>differs</source>
   <translation>weicht ab</translation>
  </message>
  <message>
   <source>digest {digest}</source>
   <translation>Prüfsumme {digest}</translation>
  </message>
  <message>
   <source>disabled</source>
   <translation>deaktiviert</translation>
  </message>
  <message>
   <source>done</source>
   <translation>ausgeführt</translation>
  </message>
  <message>
   <source>done again</source>
   <translation>wiederholt</translation>
  </message>
  <message>
   <source>double</source>
   <translation>doppelt</translation>
  </message>
  <message>
   <source>double click</source>
   <translation>Doppelklick</translation>
  </message>
  <message>
   <source>doubtful</source>
   <translation>zweifelhaft</translation>
  </message>
  <message>
   <source>down</source>
   <translation>unten</translation>
  </message>
  <message>
   <source>drag</source>
   <translation>Ziehen</translation>
  </message>
  <message>
   <source>draggable text</source>
   <translation>ziehbarer Text</translation>
  </message>
  <message>
   <source>drawn by you</source>
   <translation>selbst gezeichnet</translation>
  </message>
  <message>
   <source>dropdown</source>
   <translation>Auswahlfeld</translation>
  </message>
  <message>
   <source>duplicate</source>
   <translation>doppelt</translation>
  </message>
  <message>
   <source>e-mail address</source>
   <translation>E-Mail-Adresse</translation>
  </message>
  <message>
   <source>element</source>
   <translation>Element</translation>
  </message>
  <message>
   <source>element {number}</source>
   <translation>Element {number}</translation>
  </message>
  <message>
   <source>element {number} is not where it was</source>
   <translation>Element {number} ist nicht, wo es war</translation>
  </message>
  <message>
   <source>element {number} is now a {role}, not a {old_role}</source>
   <translation>Element {number} ist jetzt vom Typ {role}, nicht {old_role}</translation>
  </message>
  <message>
   <source>element {number} now reads “{text}”</source>
   <translation>Element {number} lautet jetzt „{text}“</translation>
  </message>
  <message>
   <source>element {number} now reads “”</source>
   <translation>Element {number} lautet jetzt „“</translation>
  </message>
  <message>
   <source>elements that are none of ten kinds of control</source>
   <translation>Elemente, die zu keiner von zehn Arten gehören</translation>
  </message>
  <message>
   <source>elements that were rejected</source>
   <translation>abgelehnte Elemente</translation>
  </message>
  <message>
   <source>evenly spaced rows</source>
   <translation>Zeilen in gleichem Abstand</translation>
  </message>
  <message>
   <source>executed</source>
   <translation>ausgeführt</translation>
  </message>
  <message>
   <source>expanded</source>
   <translation>aufgeklappt</translation>
  </message>
  <message>
   <source>export</source>
   <translation>exportieren</translation>
  </message>
  <message>
   <source>extract data</source>
   <translation>Lesen</translation>
  </message>
  <message>
   <source>failed</source>
   <translation>fehlgeschlagen</translation>
  </message>
  <message>
   <source>file of results</source>
   <translation>Datei mit Ergebnissen</translation>
  </message>
  <message>
   <source>file of tasks</source>
   <translation>Datei mit Aufgaben</translation>
  </message>
  <message>
   <source>files in another format</source>
   <translation>Dateien in einem anderen Format</translation>
  </message>
  <message>
   <source>filtered out</source>
   <translation>ausgefiltert</translation>
  </message>
  <message>
   <source>find out</source>
   <translation>herausfinden</translation>
  </message>
  <message>
   <source>finish goal</source>
   <translation>Ende</translation>
  </message>
  <message>
   <source>finished</source>
   <translation>abgeschlossen</translation>
  </message>
  <message>
   <source>focused</source>
   <translation>fokussiert</translation>
  </message>
  <message>
   <source>found as the recorded element</source>
   <translation>als das aufgenommene Element gefunden</translation>
  </message>
  <message>
   <source>found by a rule</source>
   <translation>per Regel gefunden</translation>
  </message>
  <message>
   <source>found by describer</source>
   <translation>vom Beschreiber gefunden</translation>
  </message>
  <message>
   <source>found by detector</source>
   <translation>vom Detektor gefunden</translation>
  </message>
  <message>
   <source>found by its number on the screen</source>
   <translation>an seiner Nummer auf dem Bildschirm gefunden</translation>
  </message>
  <message>
   <source>found by its place</source>
   <translation>an seiner Stelle gefunden</translation>
  </message>
  <message>
   <source>found by its role and name</source>
   <translation>an Rolle und Namen gefunden</translation>
  </message>
  <message>
   <source>found by its text</source>
   <translation>an seinem Text gefunden</translation>
  </message>
  <message>
   <source>frame with words in it</source>
   <translation>Rahmen mit Text darin</translation>
  </message>
  <message>
   <source>from accessibility</source>
   <translation>aus der Barrierefreiheit</translation>
  </message>
  <message>
   <source>from scratch</source>
   <translation>von Grund auf</translation>
  </message>
  <message>
   <source>further annotations of the same picture: compare them one by one</source>
   <translation>weitere Annotationen desselben Bildes: einzeln vergleichen</translation>
  </message>
  <message>
   <source>further labels of one box</source>
   <translation>weitere Bezeichnungen eines Rahmens</translation>
  </message>
  <message>
   <source>further predictions of the same picture</source>
   <translation>weitere Vorhersagen zum selben Bild</translation>
  </message>
  <message>
   <source>groups of several boxes on a picture</source>
   <translation>Gruppen mehrerer Rahmen auf einem Bild</translation>
  </message>
  <message>
   <source>handle in a corner of a text area</source>
   <translation>Griff in der Ecke eines Textbereichs</translation>
  </message>
  <message>
   <source>harder form of a task</source>
   <translation>schwerere Form einer Aufgabe</translation>
  </message>
  <message>
   <source>hidden</source>
   <translation>verborgen</translation>
  </message>
  <message>
   <source>high contrast</source>
   <translation>hoher Kontrast</translation>
  </message>
  <message>
   <source>highlighted</source>
   <translation>hervorgehoben</translation>
  </message>
  <message>
   <source>history, elements, response and target_box are JSON text</source>
   <translation>history, elements, response und target_box sind JSON-Text</translation>
  </message>
  <message>
   <source>hover</source>
   <translation>Zeigen</translation>
  </message>
  <message>
   <source>how sure the finder was</source>
   <translation>wie sicher der Fund war</translation>
  </message>
  <message>
   <source>how-to page</source>
   <translation>Anleitung</translation>
  </message>
  <message>
   <source>hyperlink</source>
   <translation>Verweis</translation>
  </message>
  <message>
   <source>icon</source>
   <translation>Symbol</translation>
  </message>
  <message>
   <source>icons of OmniParser's, whose types were guessed</source>
   <translation>Symbole von OmniParser, deren Typ geraten wurde</translation>
  </message>
  <message>
   <source>identities, so boxes are found again by where they lie</source>
   <translation>Kennungen, daher werden Rahmen an ihrer Lage wiedererkannt</translation>
  </message>
  <message>
   <source>image</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>in force</source>
   <translation>gültig</translation>
  </message>
  <message>
   <source>input field</source>
   <translation>Eingabefeld</translation>
  </message>
  <message>
   <source>instantiated</source>
   <translation>konkret gemacht</translation>
  </message>
  <message>
   <source>internet address</source>
   <translation>Internetadresse</translation>
  </message>
  <message>
   <source>it is a value, not a label</source>
   <translation>es ist ein Wert, keine Beschriftung</translation>
  </message>
  <message>
   <source>it is not CSV: {error}.</source>
   <translation>das ist kein CSV: {error}.</translation>
  </message>
  <message>
   <source>its fields are not those of the first line</source>
   <translation>ihre Felder sind nicht die der ersten Zeile</translation>
  </message>
  <message>
   <source>its program reports no such window now</source>
   <translation>sein Programm meldet jetzt kein solches Fenster</translation>
  </message>
  <message>
   <source>judged no</source>
   <translation>Urteil: nein</translation>
  </message>
  <message>
   <source>judged unsure</source>
   <translation>Urteil: unsicher</translation>
  </message>
  <message>
   <source>judged yes</source>
   <translation>Urteil: ja</translation>
  </message>
  <message>
   <source>keep {kept}</source>
   <translation>{kept} behalten</translation>
  </message>
  <message>
   <source>kept</source>
   <translation>behalten</translation>
  </message>
  <message>
   <source>key</source>
   <translation>Schlüssel</translation>
  </message>
  <message>
   <source>key points</source>
   <translation>Schlüsselpunkte</translation>
  </message>
  <message>
   <source>labelme, strict</source>
   <translation>labelme, streng</translation>
  </message>
  <message>
   <source>labels that are no type of ours became “other”, the label its subtype</source>
   <translation>Bezeichnungen, die keiner unserer Typen sind, wurden „other“ mit der Bezeichnung als Untertyp</translation>
  </message>
  <message>
   <source>late</source>
   <translation>verspätet</translation>
  </message>
  <message>
   <source>launch</source>
   <translation>Starten</translation>
  </message>
  <message>
   <source>learned</source>
   <translation>gelernt</translation>
  </message>
  <message>
   <source>learns from {join}</source>
   <translation>lernt aus {join}</translation>
  </message>
  <message>
   <source>left</source>
   <translation>links</translation>
  </message>
  <message>
   <source>left out</source>
   <translation>ausgelassen</translation>
  </message>
  <message>
   <source>light</source>
   <translation>hell</translation>
  </message>
  <message>
   <source>lines of a text</source>
   <translation>Zeilen eines Textes</translation>
  </message>
  <message>
   <source>lines on a grid of letters</source>
   <translation>Zeilen auf einem Buchstabenraster</translation>
  </message>
  <message>
   <source>links between boxes</source>
   <translation>Verbindungen zwischen Rahmen</translation>
  </message>
  <message>
   <source>list</source>
   <translation>Liste</translation>
  </message>
  <message>
   <source>list item</source>
   <translation>Listeneintrag</translation>
  </message>
  <message>
   <source>macOS does not let this program record the screen: pictures would show the wallpaper alone.</source>
   <translation>macOS erlaubt diesem Programm nicht, den Bildschirm aufzunehmen: Bilder würden nur den Hintergrund zeigen.</translation>
  </message>
  <message>
   <source>macOS does not let this program use Accessibility.</source>
   <translation>macOS erlaubt diesem Programm die Bedienungshilfen nicht.</translation>
  </message>
  <message>
   <source>macOS does not let this program watch keyboard and mouse.</source>
   <translation>macOS lässt dieses Programm Tastatur und Maus nicht beobachten.</translation>
  </message>
  <message>
   <source>macOS does not let this program watch the keyboard.</source>
   <translation>macOS erlaubt diesem Programm nicht, die Tastatur zu beobachten.</translation>
  </message>
  <message>
   <source>macOS lets this program record the screen.</source>
   <translation>macOS erlaubt diesem Programm, den Bildschirm aufzunehmen.</translation>
  </message>
  <message>
   <source>macOS lets this program use Accessibility.</source>
   <translation>macOS erlaubt diesem Programm die Bedienungshilfen.</translation>
  </message>
  <message>
   <source>macOS lets this program watch the keyboard.</source>
   <translation>macOS erlaubt diesem Programm, die Tastatur zu beobachten.</translation>
  </message>
  <message>
   <source>macOS no longer shows keyboard and mouse to this program.</source>
   <translation>macOS zeigt diesem Programm Tastatur und Maus nicht mehr.</translation>
  </message>
  <message>
   <source>manual</source>
   <translation>Handbuch</translation>
  </message>
  <message>
   <source>masks without a box</source>
   <translation>Masken ohne Rahmen</translation>
  </message>
  <message>
   <source>menu</source>
   <translation>Menü</translation>
  </message>
  <message>
   <source>menu item</source>
   <translation>Menüeintrag</translation>
  </message>
  <message>
   <source>middle</source>
   <translation>Mitte</translation>
  </message>
  <message>
   <source>middle click</source>
   <translation>Mittelklick</translation>
  </message>
  <message>
   <source>minutes of training</source>
   <translation>Minuten Training</translation>
  </message>
  <message>
   <source>more than three clicks at one place have no name</source>
   <translation>mehr als drei Klicks an einer Stelle haben keinen Namen</translation>
  </message>
  <message>
   <source>ms-swift with objects in pixels</source>
   <translation>ms-swift mit Objekten in Pixeln</translation>
  </message>
  <message>
   <source>named right</source>
   <translation>richtig benannt</translation>
  </message>
  <message>
   <source>needed: it was hidden in the recording</source>
   <translation>nötig: bei der Aufnahme verborgen</translation>
  </message>
  <message>
   <source>network for icons</source>
   <translation>Symbolnetz</translation>
  </message>
  <message>
   <source>no</source>
   <translation>nein</translation>
  </message>
  <message>
   <source>no element</source>
   <translation>kein Element</translation>
  </message>
  <message>
   <source>no element on the screen continues {track}</source>
   <translation>kein Element auf dem Bildschirm setzt {track} fort</translation>
  </message>
  <message>
   <source>no element reads “{text}”</source>
   <translation>kein Element lautet „{text}“</translation>
  </message>
  <message>
   <source>no elements are a {role} called “{name}”</source>
   <translation>kein Element ist vom Typ {role} mit dem Namen „{name}“</translation>
  </message>
  <message>
   <source>no elements are {what}</source>
   <translation>kein Element ist {what}</translation>
  </message>
  <message>
   <source>no elements like it stand on the line of “{text}”</source>
   <translation>kein ähnliches Element steht in der Zeile von „{text}“</translation>
  </message>
  <message>
   <source>no elements read “{text}”</source>
   <translation>kein Element lautet „{text}“</translation>
  </message>
  <message>
   <source>no picture</source>
   <translation>kein Bild</translation>
  </message>
  <message>
   <source>no plan</source>
   <translation>kein Plan</translation>
  </message>
  <message>
   <source>no type yet</source>
   <translation>noch kein Typ</translation>
  </message>
  <message>
   <source>no window that is known</source>
   <translation>kein bekanntes Fenster</translation>
  </message>
  <message>
   <source>no {role} stands beside “{text}”</source>
   <translation>kein Element vom Typ {role} steht neben „{text}“</translation>
  </message>
  <message>
   <source>no {role} stands in the row of “{text}”</source>
   <translation>kein Element vom Typ {role} steht in der Zeile von „{text}“</translation>
  </message>
  <message>
   <source>nobody has looked for elements on this picture</source>
   <translation>auf diesem Bild hat niemand nach Elementen gesucht</translation>
  </message>
  <message>
   <source>nobody said whether the task was done</source>
   <translation>niemand hat gesagt, ob die Aufgabe erledigt wurde</translation>
  </message>
  <message>
   <source>none</source>
   <translation>keine</translation>
  </message>
  <message>
   <source>not accepted</source>
   <translation>nicht angenommen</translation>
  </message>
  <message>
   <source>not all could be asked for</source>
   <translation>nicht alle konnten erfragt werden</translation>
  </message>
  <message>
   <source>not approved</source>
   <translation>nicht freigegeben</translation>
  </message>
  <message>
   <source>not done</source>
   <translation>nicht ausgeführt</translation>
  </message>
  <message>
   <source>not done yet</source>
   <translation>noch offen</translation>
  </message>
  <message>
   <source>not feasible</source>
   <translation>nicht machbar</translation>
  </message>
  <message>
   <source>not given</source>
   <translation>nicht angegeben</translation>
  </message>
  <message>
   <source>not in the demo</source>
   <translation>nicht in der Demo</translation>
  </message>
  <message>
   <source>not known whether the screen was at rest</source>
   <translation>ob der Bildschirm in Ruhe war, ist nicht bekannt</translation>
  </message>
  <message>
   <source>not measured</source>
   <translation>nicht gemessen</translation>
  </message>
  <message>
   <source>not reached</source>
   <translation>nicht erreicht</translation>
  </message>
  <message>
   <source>not reviewed</source>
   <translation>nicht geprüft</translation>
  </message>
  <message>
   <source>not visible</source>
   <translation>nicht sichtbar</translation>
  </message>
  <message>
   <source>not {state}</source>
   <translation>nicht {state}</translation>
  </message>
  <message>
   <source>nothing</source>
   <translation>nichts</translation>
  </message>
  <message>
   <source>nothing is {what}</source>
   <translation>kein Element ist {what}</translation>
  </message>
  <message>
   <source>nothing tells whether element {number} is still the one</source>
   <translation>nichts sagt, ob Element {number} noch dasselbe ist</translation>
  </message>
  <message>
   <source>nothing to do</source>
   <translation>nichts zu tun</translation>
  </message>
  <message>
   <source>of another type</source>
   <translation>von anderem Typ</translation>
  </message>
  <message>
   <source>of disputed type</source>
   <translation>von umstrittenem Typ</translation>
  </message>
  <message>
   <source>of no known type</source>
   <translation>von unbekanntem Typ</translation>
  </message>
  <message>
   <source>of {decided} that were decided about</source>
   <translation>von {decided}, über die entschieden wurde</translation>
  </message>
  <message>
   <source>only Enter can end a text</source>
   <translation>nur die Eingabetaste kann einen Text beenden</translation>
  </message>
  <message>
   <source>only in the first</source>
   <translation>nur im ersten</translation>
  </message>
  <message>
   <source>only in the second</source>
   <translation>nur im zweiten</translation>
  </message>
  <message>
   <source>only mine</source>
   <translation>nur bei mir</translation>
  </message>
  <message>
   <source>only short clicks of the left button make a double click</source>
   <translation>nur kurze Klicks mit der linken Maustaste ergeben einen Doppelklick</translation>
  </message>
  <message>
   <source>only theirs</source>
   <translation>nur bei der anderen Person</translation>
  </message>
  <message>
   <source>or from the key ring</source>
   <translation>oder aus dem Schlüsselbund</translation>
  </message>
  <message>
   <source>other</source>
   <translation>anderes</translation>
  </message>
  <message>
   <source>other keys were held down</source>
   <translation>andere Tasten waren gehalten</translation>
  </message>
  <message>
   <source>other kind</source>
   <translation>andere Art</translation>
  </message>
  <message>
   <source>other place</source>
   <translation>andere Lage</translation>
  </message>
  <message>
   <source>other states</source>
   <translation>andere Zustände</translation>
  </message>
  <message>
   <source>other text</source>
   <translation>anderer Text</translation>
  </message>
  <message>
   <source>other type</source>
   <translation>anderer Typ</translation>
  </message>
  <message>
   <source>outline, round or square</source>
   <translation>Umriss, rund oder eckig</translation>
  </message>
  <message>
   <source>page</source>
   <translation>Seite</translation>
  </message>
  <message>
   <source>parents that a person set</source>
   <translation>von Hand gesetzte übergeordnete Elemente</translation>
  </message>
  <message>
   <source>part of a scroll bar</source>
   <translation>Teil einer Bildlaufleiste</translation>
  </message>
  <message>
   <source>partial</source>
   <translation>teilweise</translation>
  </message>
  <message>
   <source>parts of boxes that lie beside their picture</source>
   <translation>Teile von Rahmen, die neben dem Bild liegen</translation>
  </message>
  <message>
   <source>password</source>
   <translation>Passwort</translation>
  </message>
  <message>
   <source>payment card</source>
   <translation>Zahlungskarte</translation>
  </message>
  <message>
   <source>picture was</source>
   <translation>Bild wurde</translation>
  </message>
  <message>
   <source>pictures that nobody looked through</source>
   <translation>Bilder, die niemand durchgesehen hat</translation>
  </message>
  <message>
   <source>pictures were</source>
   <translation>Bilder wurden</translation>
  </message>
  <message>
   <source>points and lines, which have no area</source>
   <translation>Punkte und Linien, die keine Fläche haben</translation>
  </message>
  <message>
   <source>possible password</source>
   <translation>mögliches Passwort</translation>
  </message>
  <message>
   <source>precision</source>
   <translation>Genauigkeit</translation>
  </message>
  <message>
   <source>press key</source>
   <translation>Taste</translation>
  </message>
  <message>
   <source>presses {keys}</source>
   <translation>drückt {keys}</translation>
  </message>
  <message>
   <source>presses {keys} {count} times</source>
   <translation>drückt {count}-mal {keys}</translation>
  </message>
  <message>
   <source>presses {what}</source>
   <translation>drückt {what}</translation>
  </message>
  <message>
   <source>programs report nothing</source>
   <translation>Programme melden nichts</translation>
  </message>
  <message>
   <source>radio</source>
   <translation>Optionsfeld</translation>
  </message>
  <message>
   <source>read</source>
   <translation>Lesen</translation>
  </message>
  <message>
   <source>read by OCR</source>
   <translation>per OCR gelesen</translation>
  </message>
  <message>
   <source>recall</source>
   <translation>Trefferquote</translation>
  </message>
  <message>
   <source>recorded demo</source>
   <translation>aufgenommene Demo</translation>
  </message>
  <message>
   <source>recording now</source>
   <translation>nimmt gerade auf</translation>
  </message>
  <message>
   <source>rejected</source>
   <translation>abgelehnt</translation>
  </message>
  <message>
   <source>replace {replaced}</source>
   <translation>{replaced} ersetzen</translation>
  </message>
  <message>
   <source>resize handle</source>
   <translation>Größenanfasser</translation>
  </message>
  <message>
   <source>responses are JSON text, not columns</source>
   <translation>Antworten sind JSON-Text, keine Spalten</translation>
  </message>
  <message>
   <source>results of the kind {name}</source>
   <translation>Ergebnisse der Art {name}</translation>
  </message>
  <message>
   <source>right</source>
   <translation>rechts</translation>
  </message>
  <message>
   <source>right click</source>
   <translation>Rechtsklick</translation>
  </message>
  <message>
   <source>same</source>
   <translation>gleich</translation>
  </message>
  <message>
   <source>scroll</source>
   <translation>Rollen</translation>
  </message>
  <message>
   <source>scroll area</source>
   <translation>Bildlaufbereich</translation>
  </message>
  <message>
   <source>scroll bar between two arrows</source>
   <translation>Bildlaufleiste zwischen zwei Pfeilen</translation>
  </message>
  <message>
   <source>scroll bar with a thumb</source>
   <translation>Bildlaufleiste mit Schieber</translation>
  </message>
  <message>
   <source>scrollbar</source>
   <translation>Bildlaufleiste</translation>
  </message>
  <message>
   <source>scrollbar down button</source>
   <translation>Bildlauf-Knopf unten</translation>
  </message>
  <message>
   <source>scrollbar left button</source>
   <translation>Bildlauf-Knopf links</translation>
  </message>
  <message>
   <source>scrollbar right button</source>
   <translation>Bildlauf-Knopf rechts</translation>
  </message>
  <message>
   <source>scrollbar thumb</source>
   <translation>Bildlauf-Schieber</translation>
  </message>
  <message>
   <source>scrollbar up button</source>
   <translation>Bildlauf-Knopf oben</translation>
  </message>
  <message>
   <source>search query</source>
   <translation>Suchanfrage</translation>
  </message>
  <message>
   <source>set aside</source>
   <translation>beiseitegelegt</translation>
  </message>
  <message>
   <source>shape</source>
   <translation>Form</translation>
  </message>
  <message>
   <source>shapes of the kind {name}</source>
   <translation>Formen der Art {name}</translation>
  </message>
  <message>
   <source>shapes that became the box around them</source>
   <translation>Formen, die zum Rahmen um sie herum wurden</translation>
  </message>
  <message>
   <source>shipped, the name of a model of your own, a model folder, or a YOLO weights file; empty for none.</source>
   <translation>shipped, der Name eines eigenen Modells, ein Modellordner oder eine YOLO-Gewichtsdatei; leer für keinen.</translation>
  </message>
  <message>
   <source>shipped, the name of a model of your own, or any Pix2Struct folder or hub name; empty for none.</source>
   <translation>shipped, der Name eines eigenen Modells oder ein beliebiger Pix2Struct-Ordner oder Hub-Name; leer für keinen.</translation>
  </message>
  <message>
   <source>sign that counts a number up or down</source>
   <translation>Zeichen, das eine Zahl hoch- oder herunterzählt</translation>
  </message>
  <message>
   <source>sign that is no letter</source>
   <translation>Zeichen, das kein Buchstabe ist</translation>
  </message>
  <message>
   <source>single</source>
   <translation>einfach</translation>
  </message>
  <message>
   <source>slider</source>
   <translation>Regler</translation>
  </message>
  <message>
   <source>small shape before a label</source>
   <translation>kleine Form vor einer Beschriftung</translation>
  </message>
  <message>
   <source>spinner</source>
   <translation>Drehfeld</translation>
  </message>
  <message>
   <source>start</source>
   <translation>Starten</translation>
  </message>
  <message>
   <source>states</source>
   <translation>Zustände</translation>
  </message>
  <message>
   <source>states such as checked and focused</source>
   <translation>Zustände wie angehakt und fokussiert</translation>
  </message>
  <message>
   <source>states that are not visible read as false</source>
   <translation>Zustände, die nicht zu sehen sind, gelten als falsch</translation>
  </message>
  <message>
   <source>step</source>
   <translation>Schritt</translation>
  </message>
  <message>
   <source>step {number}</source>
   <translation>Schritt {number}</translation>
  </message>
  <message>
   <source>step {step} ({action}): {share} of the screen looks as recorded</source>
   <translation>Schritt {step} ({action}): {share} des Bildschirms sieht aus wie aufgenommen</translation>
  </message>
  <message>
   <source>step {step} ({action}): {share} of what it changed looks as recorded</source>
   <translation>Schritt {step} ({action}): {share} dessen, was er änderte, sieht aus wie aufgenommen</translation>
  </message>
  <message>
   <source>step {value}</source>
   <translation>Schritt {value}</translation>
  </message>
  <message>
   <source>stopped by</source>
   <translation>zum Stoppen genutzt</translation>
  </message>
  <message>
   <source>subtype</source>
   <translation>Untertyp</translation>
  </message>
  <message>
   <source>subtypes of icons and shapes</source>
   <translation>Untertypen von Symbolen und Formen</translation>
  </message>
  <message>
   <source>tab</source>
   <translation>Reiter</translation>
  </message>
  <message>
   <source>table</source>
   <translation>Tabelle</translation>
  </message>
  <message>
   <source>table with a header</source>
   <translation>Tabelle mit Kopfzeile</translation>
  </message>
  <message>
   <source>tabled text</source>
   <translation>Tabellentext</translation>
  </message>
  <message>
   <source>take</source>
   <translation>Aufnahmeversuch</translation>
  </message>
  <message>
   <source>taken back</source>
   <translation>zurückgenommen</translation>
  </message>
  <message>
   <source>taken back, then something else was done</source>
   <translation>zurückgenommen, danach wurde etwas anderes getan</translation>
  </message>
  <message>
   <source>telephone number</source>
   <translation>Telefonnummer</translation>
  </message>
  <message>
   <source>text</source>
   <translation>Text</translation>
  </message>
  <message>
   <source>text area</source>
   <translation>Textbereich</translation>
  </message>
  <message>
   <source>texts</source>
   <translation>Texte</translation>
  </message>
  <message>
   <source>texts, states and tracks of elements</source>
   <translation>Texte, Zustände und Spuren der Elemente</translation>
  </message>
  <message>
   <source>the attribute “{name}”, which is none of ours</source>
   <translation>das Attribut „{name}“, das es hier nicht gibt</translation>
  </message>
  <message>
   <source>the clicks were made at different places</source>
   <translation>die Klicks waren an verschiedenen Stellen</translation>
  </message>
  <message>
   <source>the elements</source>
   <translation>die Elemente</translation>
  </message>
  <message>
   <source>the end</source>
   <translation>das Ende</translation>
  </message>
  <message>
   <source>the end of the task</source>
   <translation>das Ende der Aufgabe</translation>
  </message>
  <message>
   <source>the exact actions</source>
   <translation>die genauen Aktionen</translation>
  </message>
  <message>
   <source>the field there has another label now</source>
   <translation>das Feld dort hat jetzt eine andere Beschriftung</translation>
  </message>
  <message>
   <source>the flag “{name}”, which is none of our states</source>
   <translation>das Kennzeichen „{name}“, das keiner unserer Zustände ist</translation>
  </message>
  <message>
   <source>the hot-key {key}</source>
   <translation>den Kurzbefehl {key}</translation>
  </message>
  <message>
   <source>the pictures</source>
   <translation>die Bilder</translation>
  </message>
  <message>
   <source>the place cannot be compared with the recording</source>
   <translation>die Stelle lässt sich nicht mit der Aufnahme vergleichen</translation>
  </message>
  <message>
   <source>the place in the text at “{word}” was not found</source>
   <translation>die Stelle im Text bei „{word}“ wurde nicht gefunden</translation>
  </message>
  <message>
   <source>the place looks different: {share} of its pixels are as recorded</source>
   <translation>die Stelle sieht anders aus: {share} ihrer Bildpunkte sind wie aufgenommen</translation>
  </message>
  <message>
   <source>the place where it was typed looks different now; {why}</source>
   <translation>die Stelle, an der getippt wurde, sieht jetzt anders aus; {why}</translation>
  </message>
  <message>
   <source>the pointer</source>
   <translation>der Zeiger</translation>
  </message>
  <message>
   <source>the pointer in a corner of the screen</source>
   <translation>den Zeiger in einer Ecke des Bildschirms</translation>
  </message>
  <message>
   <source>the reasons</source>
   <translation>die Begründungen</translation>
  </message>
  <message>
   <source>the reasons of steps</source>
   <translation>die Begründungen der Schritte</translation>
  </message>
  <message>
   <source>the recording does not tell</source>
   <translation>die Aufnahme verrät es nicht</translation>
  </message>
  <message>
   <source>the screen was still changing</source>
   <translation>der Bildschirm änderte sich noch</translation>
  </message>
  <message>
   <source>the screen's size</source>
   <translation>die Größe des Bildschirms</translation>
  </message>
  <message>
   <source>the step has no picture of the screen before it</source>
   <translation>vor dem Schritt gibt es kein Bild vom Bildschirm</translation>
  </message>
  <message>
   <source>the steps</source>
   <translation>die Schritte</translation>
  </message>
  <message>
   <source>the target</source>
   <translation>das Ziel</translation>
  </message>
  <message>
   <source>the task was not done</source>
   <translation>die Aufgabe wurde nicht erledigt</translation>
  </message>
  <message>
   <source>the tasks and the actions' parameters</source>
   <translation>die Aufgaben und die Parameter der Aktionen</translation>
  </message>
  <message>
   <source>the {kind}</source>
   <translation>Element vom Typ {kind}</translation>
  </message>
  <message>
   <source>the {subtype} {kind}</source>
   <translation>{kind} „{subtype}“</translation>
  </message>
  <message>
   <source>there are {count}, not {number}</source>
   <translation>es gibt {count}, nicht {number}</translation>
  </message>
  <message>
   <source>there is no picture of the screen before it, so nothing tells where its keys would go</source>
   <translation>es gibt kein Bild vom Bildschirm davor, sodass nichts sagt, wohin seine Tasten gingen</translation>
  </message>
  <message>
   <source>there is {count}, not {number}</source>
   <translation>es gibt {count}, nicht {number}</translation>
  </message>
  <message>
   <source>they are different kinds of action</source>
   <translation>es sind verschiedene Arten von Aktionen</translation>
  </message>
  <message>
   <source>they press different keys</source>
   <translation>sie drücken verschiedene Tasten</translation>
  </message>
  <message>
   <source>they scroll in different directions</source>
   <translation>sie scrollen in verschiedene Richtungen</translation>
  </message>
  <message>
   <source>they were done in different fields</source>
   <translation>sie wirkten auf verschiedene Felder</translation>
  </message>
  <message>
   <source>this is now</source>
   <translation>das ist jetzt</translation>
  </message>
  <message>
   <source>this library</source>
   <translation>diese Bibliothek</translation>
  </message>
  <message>
   <source>this value</source>
   <translation>dieser Wert</translation>
  </message>
  <message>
   <source>title bar</source>
   <translation>Titelleiste</translation>
  </message>
  <message>
   <source>to</source>
   <translation>bis</translation>
  </message>
  <message>
   <source>to be reviewed</source>
   <translation>durchzusehen</translation>
  </message>
  <message>
   <source>to do</source>
   <translation>offen</translation>
  </message>
  <message>
   <source>to the end</source>
   <translation>ans Ende</translation>
  </message>
  <message>
   <source>toggle</source>
   <translation>Schalter</translation>
  </message>
  <message>
   <source>token</source>
   <translation>Token</translation>
  </message>
  <message>
   <source>too long</source>
   <translation>zu lang</translation>
  </message>
  <message>
   <source>too short</source>
   <translation>zu kurz</translation>
  </message>
  <message>
   <source>toolbar</source>
   <translation>Werkzeugleiste</translation>
  </message>
  <message>
   <source>track and number of the target</source>
   <translation>Spur und Nummer des Ziels</translation>
  </message>
  <message>
   <source>tree</source>
   <translation>Baum</translation>
  </message>
  <message>
   <source>tree item</source>
   <translation>Baumeintrag</translation>
  </message>
  <message>
   <source>triple</source>
   <translation>dreifach</translation>
  </message>
  <message>
   <source>triple click</source>
   <translation>Dreifachklick</translation>
  </message>
  <message>
   <source>type</source>
   <translation>Typ</translation>
  </message>
  <message>
   <source>type mean</source>
   <translation>Typ, gemittelt</translation>
  </message>
  <message>
   <source>types</source>
   <translation>Typen</translation>
  </message>
  <message>
   <source>types {text}</source>
   <translation>tippt {text}</translation>
  </message>
  <message>
   <source>types {text} and Enter</source>
   <translation>tippt {text} und die Eingabetaste</translation>
  </message>
  <message>
   <source>types “{text}”</source>
   <translation>tippt „{text}“</translation>
  </message>
  <message>
   <source>unchecked</source>
   <translation>nicht angehakt</translation>
  </message>
  <message>
   <source>unknown</source>
   <translation>ungewiss</translation>
  </message>
  <message>
   <source>unsure</source>
   <translation>unsicher</translation>
  </message>
  <message>
   <source>up</source>
   <translation>oben</translation>
  </message>
  <message>
   <source>user name</source>
   <translation>Benutzername</translation>
  </message>
  <message>
   <source>wait</source>
   <translation>Warten</translation>
  </message>
  <message>
   <source>was done</source>
   <translation>wurde erledigt</translation>
  </message>
  <message>
   <source>what a field holds that has a label</source>
   <translation>der Inhalt eines Feldes, das eine Beschriftung hat</translation>
  </message>
  <message>
   <source>what a person approved</source>
   <translation>was jemand bestätigt hat</translation>
  </message>
  <message>
   <source>what each source said before they were joined</source>
   <translation>was jede Quelle sagte, bevor sie vereint wurden</translation>
  </message>
  <message>
   <source>where on the picture</source>
   <translation>wo auf dem Bild</translation>
  </message>
  <message>
   <source>where the clicks were made is not known</source>
   <translation>wo geklickt wurde, ist nicht bekannt</translation>
  </message>
  <message>
   <source>which element is the same on other pictures</source>
   <translation>welches Element auf anderen Bildern dasselbe ist</translation>
  </message>
  <message>
   <source>which element was meant</source>
   <translation>welches Element gemeint war</translation>
  </message>
  <message>
   <source>who found an element</source>
   <translation>wer ein Element gefunden hat</translation>
  </message>
  <message>
   <source>window</source>
   <translation>Fenster</translation>
  </message>
  <message>
   <source>with a disputed box</source>
   <translation>mit umstrittenem Rahmen</translation>
  </message>
  <message>
   <source>with another text</source>
   <translation>mit anderem Text</translation>
  </message>
  <message>
   <source>with disputed text</source>
   <translation>mit umstrittenem Text</translation>
  </message>
  <message>
   <source>with other states</source>
   <translation>mit anderen Zuständen</translation>
  </message>
  <message>
   <source>with the bar on the screen</source>
   <translation>mit der Leiste auf dem Bildschirm</translation>
  </message>
  <message>
   <source>with the bar on the screen or with {keys}</source>
   <translation>mit der Leiste auf dem Bildschirm oder mit {keys}</translation>
  </message>
  <message>
   <source>words a space apart</source>
   <translation>Wörter mit einem Leerzeichen Abstand</translation>
  </message>
  <message>
   <source>words like `&lt;image&gt;` inside texts are written with a space, `&lt; image&gt;`</source>
   <translation>Wörter wie `&lt;image&gt;` in Texten werden mit Leerzeichen geschrieben, `&lt; image&gt;`</translation>
  </message>
  <message>
   <source>write it</source>
   <translation>schreiben</translation>
  </message>
  <message>
   <source>written by a person</source>
   <translation>von einem Menschen geschrieben</translation>
  </message>
  <message>
   <source>written by template</source>
   <translation>von der Vorlage geschrieben</translation>
  </message>
  <message>
   <source>written by you</source>
   <translation>selbst geschrieben</translation>
  </message>
  <message>
   <source>written by {name}</source>
   <translation>von {name} geschrieben</translation>
  </message>
  <message>
   <source>yes</source>
   <translation>ja</translation>
  </message>
  <message>
   <source>you</source>
   <translation>Sie</translation>
  </message>
  <message>
   <source>{approved} of {total}</source>
   <translation>{approved} von {total}</translation>
  </message>
  <message>
   <source>{approved} of {total} approved</source>
   <translation>{approved} von {total} freigegeben</translation>
  </message>
  <message>
   <source>{approved} of {total} approved, {doubtful} doubtful</source>
   <translation>{approved} von {total} freigegeben, {doubtful} zweifelhaft</translation>
  </message>
  <message>
   <source>{approved} of {total} steps approved</source>
   <translation>{approved} von {total} Schritten freigegeben</translation>
  </message>
  <message>
   <source>{approved}/{steps} approved</source>
   <translation>{approved}/{steps} freigegeben</translation>
  </message>
  <message>
   <source>{app} is not a command line.</source>
   <translation>{app} ist keine Befehlszeile.</translation>
  </message>
  <message>
   <source>{at:.1f} min</source>
   <translation>{at:.1f} min</translation>
  </message>
  <message>
   <source>{changes} changes on {shown}</source>
   <translation>{changes} Änderungen auf {shown}</translation>
  </message>
  <message>
   <source>{clicked} and hold for {seconds:g} s</source>
   <translation>{clicked}, {seconds:g} s gedrückt halten</translation>
  </message>
  <message>
   <source>{clicked}, held for {seconds:g} s</source>
   <translation>{clicked}, {seconds:g} s gedrückt gehalten</translation>
  </message>
  <message>
   <source>{column} holds a control character, which cannot be typed.</source>
   <translation>{column} enthält ein Steuerzeichen, das sich nicht tippen lässt.</translation>
  </message>
  <message>
   <source>{column} in row {row} (line {line})</source>
   <translation>{column} in Zeile {row} (Dateizeile {line})</translation>
  </message>
  <message>
   <source>{column} is neither a text nor a number</source>
   <translation>{column} ist weder ein Text noch eine Zahl</translation>
  </message>
  <message>
   <source>{count} approved</source>
   <translation>{count} freigegeben</translation>
  </message>
  <message>
   <source>{count} boxes</source>
   <translation>{count} Rahmen</translation>
  </message>
  <message>
   <source>{count} clicks</source>
   <translation>{count} Klicks</translation>
  </message>
  <message>
   <source>{count} demos imported.</source>
   <translation>{count} Demos importiert.</translation>
  </message>
  <message>
   <source>{count} elements</source>
   <translation>{count} Elemente</translation>
  </message>
  <message>
   <source>{count} elements are a {role} called “{name}”</source>
   <translation>{count} Elemente sind vom Typ {role} mit dem Namen „{name}“</translation>
  </message>
  <message>
   <source>{count} elements are {what}</source>
   <translation>{count} Elemente sind {what}</translation>
  </message>
  <message>
   <source>{count} elements like it stand on the line of “{text}”</source>
   <translation>{count} ähnliche Elemente stehen in der Zeile von „{text}“</translation>
  </message>
  <message>
   <source>{count} elements read “{text}”</source>
   <translation>{count} Elemente lauten „{text}“</translation>
  </message>
  <message>
   <source>{count} elements read “{text}”, and no bbox tells which</source>
   <translation>{count} Elemente lauten „{text}“, und kein Kasten sagt, welches</translation>
  </message>
  <message>
   <source>{count} elements selected. What is set here is set for all of them.</source>
   <translation>{count} Elemente ausgewählt. Was hier gesetzt wird, gilt für alle.</translation>
  </message>
  <message>
   <source>{count} in the same column selected</source>
   <translation>{count} in derselben Spalte ausgewählt</translation>
  </message>
  <message>
   <source>{count} in the same grid selected</source>
   <translation>{count} im selben Raster ausgewählt</translation>
  </message>
  <message>
   <source>{count} in the same row selected</source>
   <translation>{count} in derselben Zeile ausgewählt</translation>
  </message>
  <message>
   <source>{count} input events could not be read; a step may be missing.</source>
   <translation>{count} Eingaben konnten nicht gelesen werden; vielleicht fehlt ein Schritt.</translation>
  </message>
  <message>
   <source>{count} input events were lost because this machine is too busy.</source>
   <translation>{count} Eingaben gingen verloren, weil dieser Rechner überlastet ist.</translation>
  </message>
  <message>
   <source>{count} notches</source>
   <translation>{count} Rasten</translation>
  </message>
  <message>
   <source>{count} of the same look selected</source>
   <translation>{count} vom gleichen Aussehen ausgewählt</translation>
  </message>
  <message>
   <source>{count} of the same type selected</source>
   <translation>{count} vom gleichen Typ ausgewählt</translation>
  </message>
  <message>
   <source>{count} others</source>
   <translation>{count} weitere</translation>
  </message>
  <message>
   <source>{count} pictures</source>
   <translation>{count} Bilder</translation>
  </message>
  <message>
   <source>{count} pictures go along.</source>
   <translation>{count} Bilder gehen mit.</translation>
  </message>
  <message>
   <source>{count} presses</source>
   <translation>{count} Tastendrücke</translation>
  </message>
  <message>
   <source>{count} regions ask for attention</source>
   <translation>{count} Bereiche verlangen Aufmerksamkeit</translation>
  </message>
  <message>
   <source>{count} regions changed.</source>
   <translation>{count} Bereiche haben sich geändert.</translation>
  </message>
  <message>
   <source>{count} reported by their programs</source>
   <translation>{count} von ihren Programmen gemeldet</translation>
  </message>
  <message>
   <source>{count} responses of a program</source>
   <translation>{count} Antworten eines Programms</translation>
  </message>
  <message>
   <source>{count} rows</source>
   <translation>{count} Zeilen</translation>
  </message>
  <message>
   <source>{count} selected boxes</source>
   <translation>{count} ausgewählte Rahmen</translation>
  </message>
  <message>
   <source>{count} steps</source>
   <translation>{count} Schritte</translation>
  </message>
  <message>
   <source>{count} steps follow this change.</source>
   <translation>{count} Schritte folgen dieser Änderung.</translation>
  </message>
  <message>
   <source>{count} tasks added, {known} known already.</source>
   <translation>{count} Aufgaben aufgenommen, {known} waren bekannt.</translation>
  </message>
  <message>
   <source>{count} texts were typed, and the document is as it was.</source>
   <translation>{count} Texte wurden geschrieben, und das Dokument ist unverändert.</translation>
  </message>
  <message>
   <source>{count} things are different.</source>
   <translation>{count} Sachen sind anders.</translation>
  </message>
  <message>
   <source>{count} windows have it</source>
   <translation>{count} Fenster haben es</translation>
  </message>
  <message>
   <source>{count} {state}</source>
   <translation>{count} {state}</translation>
  </message>
  <message>
   <source>{covered} areas</source>
   <translation>{covered} Bereiche</translation>
  </message>
  <message>
   <source>{day} {month} {year}</source>
   <translation>{day}. {month} {year}</translation>
  </message>
  <message>
   <source>{differ} sources differ</source>
   <translation>{differ} Quellen weichen ab</translation>
  </message>
  <message>
   <source>{digit} always sets {type}.
The context menu gives this digit to another type.</source>
   <translation>{digit} setzt immer {type}.
Im Kontextmenü lässt sich diese Ziffer einem anderen Typ geben.</translation>
  </message>
  <message>
   <source>{digit} sets {type}, which is used much.
The context menu gives this digit to another type.</source>
   <translation>{digit} setzt {type}, das häufig vorkommt.
Im Kontextmenü lässt sich diese Ziffer einem anderen Typ geben.</translation>
  </message>
  <message>
   <source>{done} of {total}</source>
   <translation>{done} von {total}</translation>
  </message>
  <message>
   <source>{done} of {total} steps were done. Step {step} is the first that differs: {why}</source>
   <translation>{done} von {total} Schritten wurden ausgeführt. Schritt {step} weicht als erster ab: {why}</translation>
  </message>
  <message>
   <source>{done}. {more}</source>
   <translation>{done}. {more}</translation>
  </message>
  <message>
   <source>{doubtful} doubtful</source>
   <translation>{doubtful} zweifelhaft</translation>
  </message>
  <message>
   <source>{edits} edits in {sittings}</source>
   <translation>{edits} Bearbeitungen in {sittings}</translation>
  </message>
  <message>
   <source>{elements} elements</source>
   <translation>{elements} Elemente</translation>
  </message>
  <message>
   <source>{elements} elements that nobody has looked at</source>
   <translation>{elements} Elemente, die niemand angesehen hat</translation>
  </message>
  <message>
   <source>{element} is not right</source>
   <translation>{element} ist nicht richtig</translation>
  </message>
  <message>
   <source>{first} to {last}</source>
   <translation>{first} bis {last}</translation>
  </message>
  <message>
   <source>{first}A value that is replaced gives way to the same placeholder in every text, and is painted over in every picture. Undo takes it back.</source>
   <translation>{first}Ein ersetzter Wert weicht in jedem Text demselben Platzhalter und wird auf jedem Bild übermalt. Rückgängig nimmt es zurück.</translation>
  </message>
  <message>
   <source>{format} in {folder}</source>
   <translation>{format} in {folder}</translation>
  </message>
  <message>
   <source>{format} is empty: {why}.</source>
   <translation>{format} ist leer: {why}.</translation>
  </message>
  <message>
   <source>{format}, in {folder}.</source>
   <translation>{format}, in {folder}.</translation>
  </message>
  <message>
   <source>{format}: {number} of {total} elements in {folder}.</source>
   <translation>{format}: {number} von {total} Elementen in {folder}.</translation>
  </message>
  <message>
   <source>{format}: {number} of {total} pictures in {folder}.</source>
   <translation>{format}: {number} von {total} Bildern in {folder}.</translation>
  </message>
  <message>
   <source>{format}: {number} of {total} steps in {folder}.</source>
   <translation>{format}: {number} von {total} Schritten in {folder}.</translation>
  </message>
  <message>
   <source>{found} elements</source>
   <translation>{found} Elemente</translation>
  </message>
  <message>
   <source>{found} found so far</source>
   <translation>Bisher {found} gefunden</translation>
  </message>
  <message>
   <source>{found} screens</source>
   <translation>{found} Bildschirme</translation>
  </message>
  <message>
   <source>{found}, at {x}, {y}.</source>
   <translation>{found}, bei {x}, {y}.</translation>
  </message>
  <message>
   <source>{frames} more pictures</source>
   <translation>{frames} weitere Bilder</translation>
  </message>
  <message>
   <source>{free} GiB free.</source>
   <translation>{free} GiB frei.</translation>
  </message>
  <message>
   <source>{keys} are held by another program.</source>
   <translation>{keys} gehören anderen Programmen.</translation>
  </message>
  <message>
   <source>{keys}+{words}</source>
   <translation>{words}, dabei {keys} gehalten</translation>
  </message>
  <message>
   <source>{keys}: accept or reject the suggestion and go to the next. Drag to draw what is missing.</source>
   <translation>{keys}: den Vorschlag annehmen oder ablehnen und zum nächsten gehen. Was fehlt, durch Ziehen zeichnen.</translation>
  </message>
  <message>
   <source>{keys}: approves, and goes to what is next to look at. Ctrl+Z takes anything back, without end.</source>
   <translation>{keys}: gibt frei und geht zum Nächsten, das anzusehen ist. Strg+Z nimmt alles zurück, ohne Ende.</translation>
  </message>
  <message>
   <source>{keys}: brings along from the previous step what is still there.</source>
   <translation>{keys}: übernimmt vom vorherigen Schritt, was noch da ist.</translation>
  </message>
  <message>
   <source>{keys}: digits set the values of the selected element, Tab goes to the next.</source>
   <translation>{keys}: Ziffern setzen die Werte des ausgewählten Elements, Tab geht zum nächsten.</translation>
  </message>
  <message>
   <source>{key} already means {theirs}. One key can mean one thing.</source>
   <translation>{key} bedeutet schon {theirs}. Eine Taste kann nur eines bedeuten.</translation>
  </message>
  <message>
   <source>{key} always means “{words}”. Choose another one.</source>
   <translation>{key} bedeutet immer „{words}“. Bitte eine andere Taste wählen.</translation>
  </message>
  <message>
   <source>{key} belongs to another program</source>
   <translation>{key} gehört einem anderen Programm</translation>
  </message>
  <message>
   <source>{key} belongs to another program too: it will react when you press it.</source>
   <translation>{key} gehört auch einem anderen Programm: Es reagiert, wenn Sie die Taste drücken.</translation>
  </message>
  <message>
   <source>{key} belongs to the whole window. Choose another one.</source>
   <translation>{key} gehört dem ganzen Fenster. Bitte eine andere Taste wählen.</translation>
  </message>
  <message>
   <source>{key} belongs to {title} as well.</source>
   <translation>{key} gehört auch zu {title}.</translation>
  </message>
  <message>
   <source>{key} cannot be a hot-key</source>
   <translation>{key} kann kein Tastenkürzel sein</translation>
  </message>
  <message>
   <source>{key} held down</source>
   <translation>{key} gedrückt gehalten</translation>
  </message>
  <message>
   <source>{key} is held by another program.</source>
   <translation>{key} gehört einem anderen Programm.</translation>
  </message>
  <message>
   <source>{key} is taken</source>
   <translation>{key} ist vergeben</translation>
  </message>
  <message>
   <source>{label}, on {pictures}</source>
   <translation>{label}, auf {pictures}</translation>
  </message>
  <message>
   <source>{length_words} in all</source>
   <translation>{length_words} insgesamt</translation>
  </message>
  <message>
   <source>{library} can be written.</source>
   <translation>In {library} kann geschrieben werden.</translation>
  </message>
  <message>
   <source>{library} will be made.</source>
   <translation>{library} wird angelegt.</translation>
  </message>
  <message>
   <source>{minutes} min</source>
   <translation>{minutes} min</translation>
  </message>
  <message>
   <source>{missing} steps have none. </source>
   <translation>{missing} Schritte haben keine. </translation>
  </message>
  <message>
   <source>{moving} steps</source>
   <translation>{moving} Schritte</translation>
  </message>
  <message>
   <source>{ms} old</source>
   <translation>{ms} alt</translation>
  </message>
  <message>
   <source>{name!r} cannot be a model's name.</source>
   <translation>{name!r} kann kein Modellname sein.</translation>
  </message>
  <message>
   <source>{names} tells nothing of what it shows: its elements are found in the pictures alone.</source>
   <translation>{names} sagt nichts über das, was zu sehen ist: Elemente werden allein in den Bildern gefunden.</translation>
  </message>
  <message>
   <source>{name} of the range</source>
   <translation>{name} des Bereichs</translation>
  </message>
  <message>
   <source>{name} on step {step}: lies with the same words in {other}</source>
   <translation>{name} bei Schritt {step}: liegt mit denselben Wörtern in {other}</translation>
  </message>
  <message>
   <source>{name} on step {step}: nearly the same box as another one</source>
   <translation>{name} bei Schritt {step}: fast derselbe Rahmen wie ein anderer</translation>
  </message>
  <message>
   <source>{name} was opened, but tells nothing here.</source>
   <translation>{name} wurde geöffnet, sagt hier aber nichts.</translation>
  </message>
  <message>
   <source>{name}: {done} of {wanted} steps{cost}</source>
   <translation>{name}: {done} von {wanted} Schritten{cost}</translation>
  </message>
  <message>
   <source>{number} elements</source>
   <translation>{number} Elemente</translation>
  </message>
  <message>
   <source>{number} of them are secrets. </source>
   <translation>{number} davon sind geheim. </translation>
  </message>
  <message>
   <source>{number} of {all}</source>
   <translation>{number} von {all}</translation>
  </message>
  <message>
   <source>{number} pictures</source>
   <translation>{number} Bilder</translation>
  </message>
  <message>
   <source>{number} steps</source>
   <translation>{number} Schritte</translation>
  </message>
  <message>
   <source>{origin} is not there.</source>
   <translation>{origin} ist nicht da.</translation>
  </message>
  <message>
   <source>{other} lies where {window} was; nothing was clicked.</source>
   <translation>{other} liegt, wo {window} war; es wurde nichts geklickt.</translation>
  </message>
  <message>
   <source>{path} cannot be read: {error}.</source>
   <translation>{path} kann nicht gelesen werden: {error}.</translation>
  </message>
  <message>
   <source>{path} holds no rows.</source>
   <translation>{path} enthält keine Zeilen.</translation>
  </message>
  <message>
   <source>{path} is not UTF-8 text.</source>
   <translation>{path} ist kein Text in UTF-8.</translation>
  </message>
  <message>
   <source>{path}, line {line}: a column has no name.</source>
   <translation>{path}, Zeile {line}: Eine Spalte hat keinen Namen.</translation>
  </message>
  <message>
   <source>{path}, line {line}: two columns are called {name}.</source>
   <translation>{path}, Zeile {line}: Zwei Spalten heißen {name}.</translation>
  </message>
  <message>
   <source>{path}, line {line}: {words}</source>
   <translation>{path}, Zeile {line}: {words}</translation>
  </message>
  <message>
   <source>{per_element:.1f} s for each approved element</source>
   <translation>{per_element:.1f} s je freigegebenem Element</translation>
  </message>
  <message>
   <source>{pictures} not looked through yet: what only they show is not found. Find elements first.</source>
   <translation>{pictures} noch nicht durchgesehen: Was nur dort zu sehen ist, wird nicht gefunden. Zuerst Elemente finden.</translation>
  </message>
  <message>
   <source>{place}: {reason}</source>
   <translation>{place}: {reason}</translation>
  </message>
  <message>
   <source>{program} cannot be started: {why}.</source>
   <translation>{program} lässt sich nicht starten: {why}.</translation>
  </message>
  <message>
   <source>{regions} regions</source>
   <translation>{regions} Bereiche</translation>
  </message>
  <message>
   <source>{score:.1f} doubtful</source>
   <translation>{score:.1f} zweifelhaft</translation>
  </message>
  <message>
   <source>{screens}: {changes} changes, {same} elements alike. ← → go through the changes.</source>
   <translation>{screens}: {changes} Änderungen, {same} Elemente gleich. ← → führen durch die Änderungen.</translation>
  </message>
  <message>
   <source>{selected}; again: only the one</source>
   <translation>{selected}; nochmals: nur das eine</translation>
  </message>
  <message>
   <source>{selected}; again: {count} in the same column</source>
   <translation>{selected}; nochmals: {count} in derselben Spalte</translation>
  </message>
  <message>
   <source>{selected}; again: {count} in the same grid</source>
   <translation>{selected}; nochmals: {count} im selben Raster</translation>
  </message>
  <message>
   <source>{selected}; again: {count} in the same row</source>
   <translation>{selected}; nochmals: {count} in derselben Zeile</translation>
  </message>
  <message>
   <source>{selected}; again: {count} of the same look</source>
   <translation>{selected}; nochmals: {count} vom gleichen Aussehen</translation>
  </message>
  <message>
   <source>{selected}; again: {count} of the same type</source>
   <translation>{selected}; nochmals: {count} vom gleichen Typ</translation>
  </message>
  <message>
   <source>{share} % of what this step changed looks as recorded.</source>
   <translation>{share} % dessen, was dieser Schritt verändert hat, sieht aus wie aufgenommen.</translation>
  </message>
  <message>
   <source>{shown} of {suggestions} shown</source>
   <translation>{shown} von {suggestions} gezeigt</translation>
  </message>
  <message>
   <source>{shown} of {total}</source>
   <translation>{shown} von {total}</translation>
  </message>
  <message>
   <source>{shown} of {total} edits</source>
   <translation>{shown} von {total} Änderungen</translation>
  </message>
  <message>
   <source>{sittings} sittings</source>
   <translation>{sittings} Sitzungen</translation>
  </message>
  <message>
   <source>{source}, {confidence}</source>
   <translation>{source}, {confidence}</translation>
  </message>
  <message>
   <source>{state} ({count})</source>
   <translation>{state} ({count})</translation>
  </message>
  <message>
   <source>{state}: a click goes from yes to no to cannot be seen</source>
   <translation>{state}: Klicken wechselt von „ja“ zu „nein“ zu „nicht zu sehen“</translation>
  </message>
  <message>
   <source>{steps} steps</source>
   <translation>{steps} Schritte</translation>
  </message>
  <message>
   <source>{steps} will be replaced by what you do. One undo brings the old steps back.</source>
   <translation>Wird neu aufgenommen: {steps}. Einmal Rückgängig bringt die alten Schritte zurück.</translation>
  </message>
  <message>
   <source>{suggestions} shown</source>
   <translation>{suggestions} gezeigt</translation>
  </message>
  <message>
   <source>{task}. Damaged: {reason}</source>
   <translation>{task}. Beschädigt: {reason}</translation>
  </message>
  <message>
   <source>{text}, the screen changed since</source>
   <translation>{text}, seither hat sich der Bildschirm geändert</translation>
  </message>
  <message>
   <source>{todo} to do</source>
   <translation>{todo} offen</translation>
  </message>
  <message>
   <source>{told} It ended early: {trouble}</source>
   <translation>{told} Vorzeitig beendet: {trouble}</translation>
  </message>
  <message>
   <source>{total} edits</source>
   <translation>{total} Änderungen</translation>
  </message>
  <message>
   <source>{total} rows: {counts}.</source>
   <translation>{total} Zeilen: {counts}.</translation>
  </message>
  <message>
   <source>{track} now reads “{text}”</source>
   <translation>{track} lautet jetzt „{text}“</translation>
  </message>
  <message>
   <source>{track} now reads “”</source>
   <translation>{track} lautet jetzt „“</translation>
  </message>
  <message>
   <source>{unread} pictures were</source>
   <translation>{unread} Bilder wurden</translation>
  </message>
  <message>
   <source>{values}, but {columns} ({names}).</source>
   <translation>{values}, aber {columns} ({names}).</translation>
  </message>
  <message>
   <source>{value} ({count} of {all})</source>
   <translation>{value} ({count} von {all})</translation>
  </message>
  <message>
   <source>{value} - demopack</source>
   <translation>{value} - demopack</translation>
  </message>
  <message>
   <source>{value} h {value2:02} min</source>
   <translation>{value} h {value2:02} min</translation>
  </message>
  <message>
   <source>{value} h {value2} min</source>
   <translation>{value} h {value2} min</translation>
  </message>
  <message>
   <source>{value} more</source>
   <translation>{value} weitere</translation>
  </message>
  <message>
   <source>{value}, as usual</source>
   <translation>{value}, wie üblich</translation>
  </message>
  <message>
   <source>{value}. {facts_of}. {status}. {rationales} of {steps} rationales, {approved} approved.</source>
   <translation>{value}. {facts_of}. {status}. {rationales} von {steps} Begründungen, {approved} freigegeben.</translation>
  </message>
  <message>
   <source>{what} and stand in a row of “{text}”</source>
   <translation>{what} und in einer Zeile mit „{text}“</translation>
  </message>
  <message>
   <source>{what} by a person</source>
   <translation>{what} von einem Menschen</translation>
  </message>
  <message>
   <source>{what} elsewhere in the window has the focus</source>
   <translation>{what} an anderer Stelle des Fensters hat den Fokus</translation>
  </message>
  <message>
   <source>{what} got the focus {when}; nothing more was sent.</source>
   <translation>{what} bekam den Fokus {when}; danach wurde nichts mehr gesendet.</translation>
  </message>
  <message>
   <source>{what} has the focus</source>
   <translation>{what} hat den Fokus</translation>
  </message>
  <message>
   <source>{what} lies over the target; nothing was clicked.</source>
   <translation>{what} liegt über dem Ziel; es wurde nichts geklickt.</translation>
  </message>
  <message>
   <source>{what} step {number}</source>
   <translation>{what} Schritt {number}</translation>
  </message>
  <message>
   <source>{what} written before the task, the action or its target changed; the demo keeps what it has.</source>
   <translation>{what} geschrieben, bevor sich Aufgabe, Aktion oder Ziel änderte; die Demo behält, was sie hat.</translation>
  </message>
  <message>
   <source>{what} written for {money}.</source>
   <translation>{what} für {money} geschrieben.</translation>
  </message>
  <message>
   <source>{what} written.</source>
   <translation>{what} geschrieben.</translation>
  </message>
  <message>
   <source>{what}, {seconds:.1f} s</source>
   <translation>{what}, {seconds:.1f} s</translation>
  </message>
  <message>
   <source>{what}: {why}</source>
   <translation>{what}: {why}</translation>
  </message>
  <message>
   <source>{when} · {who}</source>
   <translation>{when} · {who}</translation>
  </message>
  <message>
   <source>{when} · {who} · {count} edits</source>
   <translation>{when} · {who} · {count} Änderungen</translation>
  </message>
  <message>
   <source>{width} by {height} at {x}, {y}</source>
   <translation>{width} mal {height} bei {x}, {y}</translation>
  </message>
  <message>
   <source>{width} x {height} at {x}, {y}</source>
   <translation>{width} x {height} bei {x}, {y}</translation>
  </message>
  <message>
   <source>{width} x {height} pixels; on this system it was not tried whether a change arrives.</source>
   <translation>{width} x {height} Pixel; auf diesem System wurde nicht geprüft, ob eine Änderung ankommt.</translation>
  </message>
  <message>
   <source>{words} (F3)</source>
   <translation>{words} (F3)</translation>
  </message>
  <message>
   <source>{words} Some things were assumed; “demopack import --dry-run” lists them.</source>
   <translation>{words} Manches wurde angenommen; „demopack import --dry-run“ listet es auf.</translation>
  </message>
  <message>
   <source>{words} in {program}</source>
   <translation>{words} in {program}</translation>
  </message>
  <message>
   <source>{words} in {where}</source>
   <translation>{words} in {where}</translation>
  </message>
  <message>
   <source>{words} · {doubtful} doubtful</source>
   <translation>{words} · {doubtful} zweifelhaft</translation>
  </message>
  <message>
   <source>{words}, for instance {example}</source>
   <translation>{words}, zum Beispiel {example}</translation>
  </message>
  <message>
   <source>{words}, secure: what was typed is not kept</source>
   <translation>{words}, geschützt: Getipptes wird nicht gespeichert</translation>
  </message>
  <message>
   <source>{words}, {doubtful} doubtful</source>
   <translation>{words}, {doubtful} zweifelhaft</translation>
  </message>
  <message>
   <source>{words}: done. One undo brings the old steps back.</source>
   <translation>{words}: erledigt. Einmal Rückgängig bringt die alten Schritte zurück.</translation>
  </message>
  <message>
   <source>{written} rationales</source>
   <translation>{written} Begründungen</translation>
  </message>
  <message>
   <source>{x}, {y} is not on the picture of {width} x {height} pixels.</source>
   <translation>{x}, {y} liegt nicht auf dem Bild von {width} × {height} Pixeln.</translation>
  </message>
  <message>
   <source>{{{variable}}} is typed in</source>
   <translation>{{{variable}}} wird getippt in</translation>
  </message>
  <message>
   <source>{}/{} elements</source>
   <translation>{}/{} Elemente</translation>
  </message>
  <message>
   <source>{}/{} rationales</source>
   <translation>{}/{} Begründungen</translation>
  </message>
  <message>
   <source>“Send keys unchecked”</source>
   <translation>„Tasten ungeprüft senden“</translation>
  </message>
  <message>
   <source>“and” needs something on both sides.</source>
   <translation>„and“ braucht auf beiden Seiten etwas.</translation>
  </message>
  <message>
   <source>“not” needs something after it.</source>
   <translation>Nach „not“ muss etwas stehen.</translation>
  </message>
  <message>
   <source>“or” needs something on both sides.</source>
   <translation>„or“ braucht auf beiden Seiten etwas.</translation>
  </message>
  <message>
   <source>“{app}” answered late. It is asked less now, so that it is not slowed down.</source>
   <translation>„{app}“ hat spät geantwortet. Es wird jetzt seltener gefragt, damit es nicht langsamer wird.</translation>
  </message>
  <message>
   <source>“{app}” answers too late and is asked nothing more: steps in it have no names, and are in doubt.</source>
   <translation>„{app}“ antwortet zu spät und wird nichts mehr gefragt: Schritte darin haben keine Namen und sind zweifelhaft.</translation>
  </message>
  <message>
   <source>“{app}” has administrator rights: what you do in it cannot be recorded.</source>
   <translation>„{app}“ hat Administratorrechte: Was Sie darin tun, lässt sich nicht aufnehmen.</translation>
  </message>
  <message>
   <source>“{app}” has switched secure input on: what is typed does not arrive, and hot-keys do nothing.</source>
   <translation>„{app}“ hat die sichere Eingabe eingeschaltet: Was getippt wird, kommt nicht an, und Tastenkürzel bewirken nichts.</translation>
  </message>
  <message>
   <source>“{key}:” knows no “{strip}”.{more}</source>
   <translation>„{key}:“ kennt „{strip}“ nicht.{more}</translation>
  </message>
  <message>
   <source>“{key}:” looks at single elements. Open a demo to use it there.</source>
   <translation>„{key}:“ gilt einzelnen Elementen. Dafür eine Demo öffnen.</translation>
  </message>
  <message>
   <source>“{key}:” wants a day, month or year such as 2026-05-31 or &gt;=2026-05, not “{value}”.</source>
   <translation>„{key}:“ erwartet einen Tag, Monat oder ein Jahr wie 2026-05-31 oder &gt;=2026-05, nicht „{value}“.</translation>
  </message>
  <message>
   <source>“{key}:” wants a number such as {example}, not “{value}”.</source>
   <translation>„{key}:“ erwartet eine Zahl wie {example}, nicht „{value}“.</translation>
  </message>
  <message>
   <source>“{name}:” needs a value after the colon.</source>
   <translation>„{name}:“ braucht nach dem Doppelpunkt einen Wert.</translation>
  </message>
  <message>
   <source>“{name}” cannot be the name of a variable.</source>
   <translation>„{name}“ kann kein Name einer Variablen sein.</translation>
  </message>
  <message>
   <source>“{start}” … {between} more characters … “{end}” ({total} characters)</source>
   <translation>„{start}“ … {between} weitere Zeichen … „{end}“ ({total} Zeichen)</translation>
  </message>
  <message>
   <source>“{text}”</source>
   <translation>„{text}“</translation>
  </message>
  <message>
   <source>“{text}” ({kind})</source>
   <translation>„{text}“ ({kind})</translation>
  </message>
  <message>
   <source>“{text}” does not occur in this demo, or is in the list already.</source>
   <translation>„{text}“ kommt in dieser Demo nicht vor oder steht schon in der Liste.</translation>
  </message>
  <message>
   <source>“{text}” stands there now, where nothing stood in the recording</source>
   <translation>jetzt steht dort „{text}“, wo in der Aufnahme nichts stand</translation>
  </message>
  <message>
   <source>“{text}” was typed, but its field does not hold just that now.</source>
   <translation>„{text}“ wurde getippt, doch im Feld steht jetzt nicht genau das.</translation>
  </message>
  <message>
   <source>↑ ↓ attribute   Tab next   Esc ends</source>
   <translation>↑ ↓ Attribut   Tab weiter   Esc beendet</translation>
  </message>
 </context>
</TS>
