import type { PageTexts } from "@/messages/payer/en/pages";

const pages: PageTexts = {
  frame: {
    testMode: "Testmodus",
    questions: (business) => `Fragen? Wenden Sie sich an ${business}:`,
    poweredBy: "Zahlungen mit Paydesk",
  },
  or: "oder",
  continue: "Weiter",
  goTo: (business) => `Weiter zu ${business}`,
  takingBack: (business) => `Sie werden jetzt zu ${business} zurückgeleitet.`,
  notCharged: "Es wurde nichts abgebucht.",
  canClose: "Sie können diese Seite jetzt schließen.",
  thanks: "Vielen Dank",

  facts: {
    amount: "Betrag",
    for: "Für",
    paidTo: "Empfänger",
    date: "Datum",
    card: "Karte",
    paidWith: "Bezahlt mit",
  },
  card: (brand, last4) => `${brand} mit den Endziffern ${last4}`,
  methods: { transfer: "Überweisung", cash: "Bargeld", cheque: "Scheck", other: "Sonstiges" },

  pay: {
    title: (amount, business) => `${amount} an ${business} zahlen`,
    titleWithErrors: (title) => `Bitte prüfen: ${title}`,
    byCard: "Mit Karte zahlen",
    button: (amount) => `${amount} zahlen`,
    buttonToGateway: (amount) => `Weiter zur Zahlung von ${amount}`,
    safeAtGateway: "Sie geben Ihre Karte auf der Seite unseres Zahlungsdienstleisters ein. Wir sehen sie nie.",
    safe: "Ihre Kartennummer wird nur für diese Zahlung verwendet und nicht gespeichert.",
    safeWhenSaving: "Wir speichern Ihre Kartennummer nie.",
    byTransfer: "Per Überweisung zahlen",
    awaiting: (business) => `${business} wartet auf Ihre Überweisung`,
    awaitingText:
      "Wenn Sie schon überwiesen haben, müssen Sie nichts weiter tun. Sie können stattdessen auch mit Karte zahlen.",
    saveCard: "Meine Karte für künftige Zahlungen speichern",
    failed: "Zahlung fehlgeschlagen",
    changed: "Diese Zahlung hat sich geändert",
    changedText: (amount) =>
      `Der Betrag ist jetzt ${amount}. Es wurde nichts abgebucht. Bitte prüfen Sie ihn, bevor Sie zahlen.`,
    changedTaxText: (amount) =>
      `Die enthaltene Steuer hat sich geändert. Der Betrag ist weiterhin ${amount}. Es wurde nichts abgebucht. Bitte prüfen Sie die Steuer, bevor Sie zahlen.`,
  },

  fields: {
    check: "Bitte prüfen Sie die Kartendaten",
    number: "Kartennummer",
    expiry: "Ablaufdatum",
    expiryExample: "MM / JJ",
    cvc: "Sicherheitscode",
    holder: "Name auf der Karte",
    optional: "(optional)",
    numberMissing: "Geben Sie die Kartennummer ein.",
    numberWrong: "Prüfen Sie die Kartennummer: Eine Ziffer scheint falsch zu sein oder zu fehlen.",
    expiryMissing: "Geben Sie das Ablaufdatum ein.",
    expiryWrong: "Geben Sie das Ablaufdatum in der Form 08 / 31 ein.",
    expired: "Diese Karte ist abgelaufen.",
    yearWrong: "Prüfen Sie das Jahr des Ablaufdatums.",
    cvcMissing: "Geben Sie den Sicherheitscode ein.",
    cvcWrong: "Geben Sie den Sicherheitscode ein: 3 oder 4 Ziffern.",
    cvcLength: (digits) => `Der Sicherheitscode dieser Karte hat ${digits} Ziffern.`,
    testCardsOnly: "Im Testmodus werden nur Testkarten angenommen. Wählen Sie eine aus der Liste.",
  },

  testCards: {
    title: "Testkarten",
    text: "Es fließt kein Geld. Jedes Ablaufdatum in der Zukunft und jeder Sicherheitscode sind möglich.",
  },

  charges: {
    dueWhenSaved: (total) => `Von dieser Karte werden ${total} abgebucht, sobald Sie sie speichern:`,
    dueIfSaved: (total) => `Wenn Sie die Karte speichern, werden auch ${total} von ihr abgebucht:`,
    more: "Und",
    onePeriod: "1 weiterer Zeitraum",
    periods: (count) => `${count} weitere Zeiträume`,
    total: "Insgesamt",
    next: (amount, title, day) => `Nächste Abbuchung: ${amount} für ${title} am ${day}.`,
  },

  declines: {
    card_declined:
      "Ihre Bank hat die Karte abgelehnt. Versuchen Sie es mit einer anderen Karte, oder fragen Sie Ihre Bank.",
    insufficient_funds: "Die Karte ist nicht ausreichend gedeckt. Versuchen Sie es mit einer anderen Karte.",
    limit_exceeded:
      "Die Zahlung übersteigt das Limit der Karte. Versuchen Sie es mit einer anderen Karte, oder fragen Sie Ihre Bank.",
    processing_error: "Die Zahlung konnte nicht verarbeitet werden. Versuchen Sie es gleich noch einmal.",
    gateway_refused:
      "Der Händler kann diese Zahlung zurzeit nicht annehmen. Es wurde nichts abgebucht. Bitte wenden Sie sich an ihn.",
    authentication_required: "Ihre Bank verlangt, dass Sie Zahlungen mit dieser Karte selbst bestätigen.",
    authentication_failed:
      "Die Zahlung wurde bei Ihrer Bank nicht bestätigt. Versuchen Sie es noch einmal, oder verwenden Sie eine andere Karte.",
    abandoned: "Die Zahlung wurde nicht abgeschlossen.",
    expired_card: "Die Karte ist abgelaufen. Versuchen Sie es mit einer anderen Karte.",
    incorrect_number: "Die Kartennummer stimmt nicht. Prüfen Sie sie, oder versuchen Sie es mit einer anderen Karte.",
    incorrect_cvc: "Der Sicherheitscode stimmt nicht. Prüfen Sie ihn, und versuchen Sie es noch einmal.",
    card_not_supported:
      "Die Karte eignet sich nicht für diese Art von Zahlung. Versuchen Sie es mit einer anderen Karte.",
    card_blocked:
      "Ihre Bank hat die Karte abgelehnt. Versuchen Sie es mit einer anderen Karte, oder fragen Sie Ihre Bank.",
  },

  transfer: {
    title: (amount, business) => `${amount} an ${business} überweisen`,
    heading: "Per Überweisung zahlen",
    testMode: (business) => `Testmodus: Überweisen Sie kein Geld. Dies ist das echte Konto von ${business}.`,
    awaiting: (business) => `${business} wartet auf Ihre Überweisung.`,
    amount: "Betrag",
    holder: "Kontoinhaber",
    reference: "Verwendungszweck",
    referenceHint: (business) =>
      `Geben Sie genau diesen Verwendungszweck an, damit ${business} Ihre Zahlung zuordnen kann.`,
    qrCodeLabel: (amount, holder) => `QR-Code für eine Überweisung von ${amount} an ${holder} mit den obigen Angaben`,
    scan: "Scannen Sie den Code mit Ihrer Banking-App,",
    toFillIn: "um die Überweisung auszufüllen.",
    duration: (business) =>
      `Eine Überweisung dauert meist einen Bankarbeitstag. Sobald ${business} den Eingang bestätigt hat, finden Sie die Quittung auf dieser Seite.`,
    byCard: "Stattdessen mit Karte zahlen",
  },

  paid: {
    title: (title) => `Bezahlt: ${title}`,
    heading: "Bereits bezahlt",
    nothingLeft: "Es ist nichts mehr zu zahlen.",
    notAgain: "Es wurde kein zweites Mal abgebucht.",
    receipt: "Quittung",
    received: "Ihre Zahlung ist eingegangen.",
    noCard:
      "Für künftige Zahlungen ist keine Karte gespeichert. Wenn Sie eine Karte speichern, wird sie dafür belastet.",
    saveCard: "Karte speichern",
  },

  inFlight: {
    title: "Ihre Zahlung wird geprüft",
    heading: "Wir prüfen Ihre Zahlung",
    opened: (amount, business) =>
      `Sie haben eine Zahlung von ${amount} an ${business} begonnen. Wir können den Status zurzeit nicht abrufen.`,
    processing: (amount, business) => `Ihre Zahlung von ${amount} an ${business} wird verarbeitet.`,
    wait: "Bitte zahlen Sie nicht noch einmal. Diese Seite aktualisiert sich von selbst.",
  },

  bank: {
    title: "Bei Ihrer Bank bestätigen",
    text: (amount, business) => `Ihre Bank bittet Sie, die Zahlung von ${amount} an ${business} zu bestätigen.`,
    proceed: "Weiter zu Ihrer Bank",
    back: "Andere Karte verwenden",
  },
  unfinished: {
    title: "Ihre Zahlung ist nicht abgeschlossen",
    text: (amount, business) =>
      `Sie haben eine Zahlung von ${amount} an ${business} begonnen. Es wurde noch nichts abgebucht.`,
    proceed: "Weiter zur Zahlung",
    back: "Neu beginnen",
  },
  opening: {
    title: "Die sichere Zahlungsseite wird geöffnet",
    text: (amount, business) => `Dort zahlen Sie ${amount} an ${business}.`,
  },

  closed: {
    expired: "Dieser Zahlungslink ist abgelaufen",
    inactive: "Dieser Zahlungslink ist nicht aktiv",
    deleted: "Dieser Zahlungslink ist nicht mehr verfügbar",
    askForNew: (business) =>
      `Mit diesem Link können Sie nicht zahlen. Bitte fragen Sie ${business} nach einem neuen Link.`,
    paused: (business) => `${business} hat diesen Link pausiert. Zurzeit können Sie damit nicht zahlen.`,
    ended: "Dieses Abonnement ist beendet",
    cancelled: (business) => `Ihr Abonnement bei ${business} wurde gekündigt. Diese Zahlung ist nicht mehr fällig.`,
    completed: (business) => `Ihr Abonnement bei ${business} ist abgelaufen. Diese Zahlung ist nicht mehr fällig.`,
    payAnyway: (business) =>
      `Wenn Sie trotzdem zahlen oder ein neues Abonnement abschließen möchten, wenden Sie sich an ${business}.`,
    noGateway: "Zahlungen sind noch nicht möglich",
    noGatewayText: (business) => `${business} kann hier noch keine Zahlungen annehmen.`,
  },

  activate: {
    title: (business) => `Ihre Karte bei ${business} speichern`,
    declined: "Die Karte wurde nicht gespeichert",
    declines: {
      gateway_refused:
        "Der Händler kann zurzeit keine Karten speichern. Es wurde nichts abgebucht. Bitte wenden Sie sich an ihn.",
      processing_error:
        "Die Karte konnte nicht geprüft werden. Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal.",
    },
    heading: "Karte speichern",
    nothingNow: "Jetzt wird nichts abgebucht.",
    later: (business) => `${business} kann später die mit Ihnen vereinbarten Beträge von dieser Karte abbuchen.`,
    button: "Karte speichern",
    buttonAndPay: (total) => `Karte speichern und ${total} zahlen`,
    buttonToGateway: "Weiter zum Speichern der Karte",
    buttonToGatewayAndPay: (total) => `Weiter: Karte speichern und ${total} zahlen`,
    opening: "Die sichere Seite zum Speichern der Karte wird geöffnet",
    openingText: (business) => `Dort speichern Sie Ihre Karte für ${business}.`,
    nothing: "Es wird nichts abgebucht.",
    willBeCharged: (total) => `Sobald Sie sie gespeichert haben, werden ${total} von ihr abgebucht.`,
    saved: "Karte gespeichert",
    savedHeading: "Ihre Karte ist gespeichert",
    inAMoment: (total) => `In Kürze werden ${total} von ihr abgebucht.`,
    someDeclined: (business) =>
      `Eine Zahlung wurde abgelehnt. Wenden Sie sich an ${business}, oder zahlen Sie über den Link, den Sie erhalten haben.`,
    wereCharged: "Diese Zahlungen wurden von ihr abgebucht:",
    nothingCharged: "Es wurde nichts abgebucht. Sie können diese Seite jetzt schließen.",
    charged: (amount) => `${amount} abgebucht`,
    notCharged: (amount) => `${amount} nicht abgebucht: abgelehnt`,
    charging: (amount) => `${amount} werden abgebucht`,
    noGateway: "Karten können noch nicht gespeichert werden",
    noGatewayText: (business) => `${business} kann hier noch keine Karten speichern.`,
    expired: "Dieser Link ist abgelaufen",
    revoked: "Dieser Link ist nicht mehr gültig",
    closedText: (business) =>
      `Sie können damit keine Karte speichern. Bitte fragen Sie ${business} nach einem neuen Link.`,
  },

  subscription: {
    each: {
      daily: "pro Tag",
      weekly: "pro Woche",
      monthly: "pro Monat",
      quarterly: "pro Quartal",
      semiannual: "alle 6 Monate",
      yearly: "pro Jahr",
    },
    cardFor: "Karte für",
    chargedFor: (price) => `Wird für Ihr Abonnement mit ${price} belastet.`,
  },

  tax: {
    included: (percent, amount) => `Enthält ${percent} Steuer: ${amount}`,
    net: "Nettobetrag",
    line: (percent) => `Steuer (${percent})`,
    total: "Gesamtbetrag",
  },

  receipt: {
    title: (business) => `Quittung von ${business}`,
    heading: "Quittung",
    seller: "Von",
    reference: "Referenz",
    paidOn: "Bezahlt am",
    number: "Quittungsnummer",
    testMode: "Testzahlung, es ist kein Geld geflossen",
    reversed: (day) => `Diese Zahlung wurde am ${day} storniert und gilt nicht mehr als bezahlt`,
    refundedInFull: "Diese Zahlung wurde vollständig erstattet",
    refunds: "Erstattungen",
    date: "Datum",
    state: "Status",
    amount: "Betrag",
    succeeded: "Erstattet",
    pending: "Erstattung ausstehend",
    paid: "Bezahlt",
    refunded: "Erstattet",
    net: "Bezahlt nach Erstattung",
    pendingText: "Eine ausstehende Erstattung wird abgezogen, sobald sie abgeschlossen ist.",
    download: "PDF herunterladen",
    page: (page, pages) => `Seite ${page} von ${pages}`,
    replaced: (sign) => `${sign} steht für ein Zeichen, das nicht gedruckt werden kann.`,
    cut: "Text, der mit … endet, ist gekürzt.",
    seeWeb: "Den vollständigen Text finden Sie in der Online-Quittung.",
  },

  limited: {
    title: "Zu viele Versuche",
    oneSecond: "1 Sekunde",
    seconds: (count) => `${count} Sekunden`,
    minutes: (count) => `${count} Minuten`,
    text: (time) => `Bitte warten Sie ${time}, und versuchen Sie es dann noch einmal. Es wurde nichts abgebucht.`,
    back: "Zurück zum Formular",
  },

  problems: {
    link_unknown: {
      title: "Wir finden diese Zahlung nicht",
      text: "Der Link ist unvollständig oder falsch. Bitte öffnen Sie ihn genau so, wie Sie ihn erhalten haben.",
    },
    token_unknown: {
      title: "Wir finden diese Seite nicht",
      text: "Der Link ist unvollständig oder falsch. Bitte öffnen Sie ihn genau so, wie Sie ihn erhalten haben.",
    },
    receipt_unknown: {
      title: "Wir finden diese Quittung nicht",
      text: "Der Link ist unvollständig oder falsch. Bitte öffnen Sie ihn genau so, wie Sie ihn erhalten haben.",
    },
    page_unknown: { title: "Wir finden diese Seite nicht", text: "Unter dieser Adresse gibt es keine Seite." },
    method: {
      title: "Das hat nicht funktioniert",
      text: "Bitte öffnen Sie die Seite noch einmal über den Link, den Sie erhalten haben.",
    },
    too_large: {
      title: "Das Formular ist zu groß",
      text: "Es wurde nichts abgebucht. Bitte gehen Sie zurück, und versuchen Sie es noch einmal.",
    },
    not_a_form: {
      title: "Wir konnten das Formular nicht lesen",
      text: "Es wurde nichts abgebucht. Bitte gehen Sie zurück, und versuchen Sie es noch einmal.",
    },
    limited: {
      title: "Zu viele Versuche",
      text: "Aus Ihrem Netzwerk wurden zu viele ungültige Links geöffnet. Bitte warten Sie eine Minute, und öffnen Sie die Seite dann noch einmal.",
    },
    failed: {
      title: "Bei uns ist etwas schiefgegangen",
      text: "Bitte warten Sie einen Moment, und öffnen Sie die Seite dann noch einmal. Sie zeigt, ob Sie bezahlt haben.",
    },
    away: {
      title: "Vorübergehend nicht verfügbar",
      text: "Bitte öffnen Sie die Seite in einigen Sekunden noch einmal. Sie zeigt, ob Sie bezahlt haben.",
    },
    card_away: {
      title: "Vorübergehend nicht verfügbar",
      text: "Bitte öffnen Sie die Seite in einigen Sekunden noch einmal. Sie zeigt, ob Ihre Karte gespeichert ist.",
    },
  },
};

export default pages;
