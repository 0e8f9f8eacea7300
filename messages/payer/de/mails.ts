import type { MailTexts } from "@/messages/payer/en/mails";

const mails: MailTexts = {
  frame: {
    testSubject: (subject) => `[Test] ${subject}`,
    testMode: "Testmodus: Es fließt kein Geld.",
    reply: "Fragen? Antworten Sie auf diese E-Mail, oder schreiben Sie an",
    orCall: (phone) => ` oder rufen Sie an: ${phone}.`,
    call: (phone) => `Fragen? Rufen Sie an: ${phone}.`,
    sentBy: (business) => `Gesendet von ${business}. Zahlungen mit Paydesk.`,
    ifButtonFails: "Wenn die Schaltfläche nicht funktioniert, öffnen Sie",
    labelled: (name) => `${name}:`,
  },
  facts: {
    for: "Für",
    amount: "Betrag",
    card: "Karte",
    reference: "Referenz",
    paidOn: "Bezahlt am",
    paidWith: "Bezahlt mit",
    receiptNumber: "Quittungsnummer",
  },
  viewReceipt: "Quittung ansehen",
  useAnotherCard: "Andere Karte verwenden",

  paymentLink: {
    subject: (amount, title) => `${amount} zu zahlen: ${title}`,
    preview: (business, amount) => `${business} bittet Sie um die Zahlung von ${amount}.`,
    heading: (amount) => `Bitte zahlen Sie ${amount}`,
    sent: (business) => `${business} hat Ihnen einen Zahlungslink gesendet.`,
    payNow: (business, moment) =>
      `Bezahlen Sie diesen Zeitraum Ihres Abonnements bei ${business} jetzt. Andernfalls wird am ${moment} die gespeicherte Karte belastet.`,
    cardDeclined: (business) =>
      `${business} konnte den Betrag für diesen Zeitraum Ihres Abonnements nicht von Ihrer gespeicherten Karte abbuchen.`,
    period: (business) => `Bitte bezahlen Sie diesen Zeitraum Ihres Abonnements bei ${business}.`,
    payBefore: "Zahlbar bis",
    pay: (amount) => `${amount} zahlen`,
    unexpected:
      "Haben Sie das nicht erwartet? Dann können Sie diese E-Mail ignorieren. Es wird nichts automatisch abgebucht.",
    canSaveCard: "Nach der Zahlung können Sie eine Karte für die nächsten Zahlungen speichern.",
  },

  receipt: {
    subject: (amount, title) => `Quittung: ${amount} für ${title}`,
    preview: (amount, business) => `Sie haben ${amount} an ${business} gezahlt.`,
    heading: "Vielen Dank für Ihre Zahlung",
    text: (business, amount) => `${business} hat ${amount} erhalten.`,
  },

  refund: {
    subject: (amount, title) => `Erstattung: ${amount} für ${title}`,
    preview: (business, amount) => `${business} hat Ihnen ${amount} erstattet.`,
    previewToCard: (business, amount) => `${business} hat ${amount} auf Ihre Karte erstattet.`,
    heading: (amount) => `Ihre Erstattung von ${amount} ist unterwegs`,
    headingByHand: (amount) => `Ihre Erstattung von ${amount}`,
    text: (business, amount) => `${business} hat Ihnen ${amount} erstattet.`,
    textToCard: (business, amount) =>
      `${business} hat ${amount} auf die Karte erstattet, mit der Sie gezahlt haben. Ihre Bank zeigt die Erstattung in 5 bis 10 Tagen an.`,
    refund: "Erstattung",
    tax: (percent) => `Steuer in der Erstattung (${percent})`,
    refundedOn: "Erstattet am",
    paid: "Bezahlt",
    net: "Bezahlt nach Erstattung",
    number: "Erstattungsnummer",
    missing: (business) => `Nach 10 Tagen noch nicht da? Wenden Sie sich mit der Erstattungsnummer an ${business}.`,
  },

  paymentFailed: {
    subject: (amount, title) => `Zahlung fehlgeschlagen: ${amount} für ${title}`,
    preview: (business, amount) => `${business} konnte ${amount} nicht von Ihrer Karte abbuchen.`,
    heading: (amount) => `Ihre Zahlung von ${amount} ist fehlgeschlagen`,
    text: (business) => `${business} konnte nicht von Ihrer gespeicherten Karte abbuchen. Es wurde nichts abgebucht.`,
    attemptedOn: "Versucht am",
    nextAttempt: "Nächster Versuch",
    payNow: (amount) => `Jetzt ${amount} zahlen`,
    confirmNow: (amount) => `Jetzt bestätigen und ${amount} zahlen`,
    hard: "Wir buchen nicht mehr von dieser Karte ab. Zahlen Sie mit einer anderen Karte. Sie können sie dann für die nächsten Zahlungen speichern.",
    noRetry: "Wir versuchen es mit dieser Karte nicht noch einmal. Sie können mit jeder Karte zahlen.",
    retry: (moment) =>
      `Zahlen Sie jetzt mit einer beliebigen Karte, oder warten Sie ab: Am ${moment} versuchen wir es mit der gespeicherten Karte noch einmal.`,
  },
};

export default mails;
