import type { MailTexts } from "@/messages/payer/en/mails";

const mails: MailTexts = {
  frame: {
    testSubject: (subject) => `[Test] ${subject}`,
    testMode: "Mode test\u00a0: aucun mouvement d’argent.",
    reply: "Des questions\u00a0? Répondez à cet e-mail ou écrivez à",
    orCall: (phone) => ` ou appelez le ${phone}.`,
    call: (phone) => `Des questions\u00a0? Appelez le ${phone}.`,
    sentBy: (business) => `Envoyé par ${business}. Paiements avec Paydesk.`,
    ifButtonFails: "Si le bouton ne fonctionne pas, ouvrez",
    labelled: (name) => `${name}\u00a0:`,
  },
  facts: {
    for: "Objet",
    amount: "Montant",
    card: "Carte",
    reference: "Référence",
    paidOn: "Payé le",
    paidWith: "Moyen de paiement",
    receiptNumber: "Numéro de reçu",
  },
  viewReceipt: "Voir le reçu",
  useAnotherCard: "Utiliser une autre carte",

  paymentLink: {
    subject: (amount, title) => `${amount} à payer\u00a0: ${title}`,
    preview: (business, amount) => `${business} vous demande de payer ${amount}.`,
    heading: (amount) => `Veuillez payer ${amount}`,
    sent: (business) => `${business} vous a envoyé un lien de paiement.`,
    payNow: (business, moment) =>
      `Payez maintenant cette période de votre abonnement auprès de ${business}. Sinon, le ${moment}, la carte enregistrée sera débitée.`,
    cardDeclined: (business) =>
      `${business} n’a pas pu débiter votre carte enregistrée pour cette période de votre abonnement.`,
    period: (business) => `Veuillez payer cette période de votre abonnement auprès de ${business}.`,
    payBefore: "À payer avant le",
    pay: (amount) => `Payer ${amount}`,
    unexpected: "Vous n’attendiez pas cet e-mail\u00a0? Vous pouvez l’ignorer. Rien n’est débité automatiquement.",
    canSaveCard: "Après le paiement, vous pourrez enregistrer une carte pour les prochains paiements.",
  },

  receipt: {
    subject: (amount, title) => `Reçu\u00a0: ${amount} pour ${title}`,
    preview: (amount, business) => `Vous avez payé ${amount} à ${business}.`,
    heading: "Merci pour votre paiement",
    text: (business, amount) => `${business} a reçu ${amount}.`,
  },

  refund: {
    subject: (amount, title) => `Remboursement\u00a0: ${amount} pour ${title}`,
    preview: (business, amount) => `${business} vous a remboursé ${amount}.`,
    previewToCard: (business, amount) => `${business} a remboursé ${amount} sur votre carte.`,
    heading: (amount) => `Votre remboursement de ${amount} est en route`,
    headingByHand: (amount) => `Votre remboursement de ${amount}`,
    text: (business, amount) => `${business} vous a remboursé ${amount}.`,
    textToCard: (business, amount) =>
      `${business} a remboursé ${amount} sur la carte avec laquelle vous avez payé. Le remboursement apparaîtra sur votre compte dans un délai de 5 à 10 jours.`,
    refund: "Remboursement",
    tax: (percent) => `Taxe dans le remboursement (${percent})`,
    refundedOn: "Remboursé le",
    paid: "Payé",
    net: "Payé après remboursement",
    number: "Numéro de remboursement",
    missing: (business) =>
      `Toujours rien après 10 jours\u00a0? Contactez ${business} en indiquant le numéro de remboursement.`,
  },

  paymentFailed: {
    subject: (amount, title) => `Échec du paiement\u00a0: ${amount} pour ${title}`,
    preview: (business, amount) => `${business} n’a pas pu débiter votre carte de ${amount}.`,
    heading: (amount) => `Votre paiement de ${amount} a échoué`,
    text: (business) => `${business} n’a pas pu débiter votre carte enregistrée. Aucun montant n’a été débité.`,
    attemptedOn: "Date de la tentative",
    nextAttempt: "Prochaine tentative",
    payNow: (amount) => `Payer ${amount} maintenant`,
    confirmNow: (amount) => `Confirmer et payer ${amount} maintenant`,
    hard: "Nous ne débiterons plus cette carte. Payez avec une autre carte\u00a0; vous pourrez ensuite l’enregistrer pour les prochains paiements.",
    noRetry: "Nous ne réessaierons pas avec cette carte. Vous pouvez payer avec n’importe quelle carte.",
    retry: (moment) =>
      `Payez maintenant avec n’importe quelle carte, ou ne faites rien\u00a0: le ${moment}, nous réessaierons avec la carte enregistrée.`,
  },
};

export default mails;
