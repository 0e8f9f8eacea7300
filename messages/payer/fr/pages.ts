import type { PageTexts } from "@/messages/payer/en/pages";

// French puts a no-break space (U+00A0) before : ? ; and !
const pages: PageTexts = {
  frame: {
    testMode: "Mode test",
    questions: (business) => `Des questions\u00a0? Contactez ${business}\u00a0:`,
    poweredBy: "Paiements avec Paydesk",
  },
  or: "ou",
  continue: "Continuer",
  goTo: (business) => `Continuer vers ${business}`,
  takingBack: (business) => `Nous vous redirigeons vers ${business}.`,
  notCharged: "Aucun montant n’a été débité.",
  canClose: "Vous pouvez maintenant fermer cette page.",
  thanks: "Merci",

  facts: {
    amount: "Montant",
    for: "Objet",
    paidTo: "Bénéficiaire",
    date: "Date",
    card: "Carte",
    paidWith: "Moyen de paiement",
  },
  card: (brand, last4) => `${brand} se terminant par ${last4}`,
  methods: { transfer: "Virement bancaire", cash: "Espèces", cheque: "Chèque", other: "Autre" },

  pay: {
    title: (amount, business) => `Payer ${amount} à ${business}`,
    titleWithErrors: (title) => `Veuillez vérifier\u00a0: ${title}`,
    byCard: "Payer par carte",
    button: (amount) => `Payer ${amount}`,
    buttonToGateway: (amount) => `Continuer pour payer ${amount}`,
    safeAtGateway: "Vous saisissez votre carte sur la page de notre prestataire de paiement. Nous ne la voyons jamais.",
    safe: "Votre numéro de carte sert uniquement à ce paiement et n’est pas enregistré.",
    safeWhenSaving: "Nous n’enregistrons jamais votre numéro de carte.",
    byTransfer: "Payer par virement bancaire",
    awaiting: (business) => `${business} attend votre virement`,
    awaitingText:
      "Si vous l’avez effectué, vous n’avez plus rien à faire. Vous pouvez aussi payer par carte à la place.",
    saveCard: "Enregistrer ma carte pour les prochains paiements",
    failed: "Échec du paiement",
    changed: "Ce paiement a changé",
    changedText: (amount) =>
      `Le montant est maintenant de ${amount}. Rien n’a été débité. Veuillez le vérifier avant de payer.`,
    changedTaxText: (amount) =>
      `La taxe incluse a changé. Le montant est toujours de ${amount}. Rien n’a été débité. Veuillez vérifier la taxe avant de payer.`,
  },

  fields: {
    check: "Veuillez vérifier les informations de la carte",
    number: "Numéro de carte",
    expiry: "Date d’expiration",
    expiryExample: "MM / AA",
    cvc: "Code de sécurité",
    holder: "Nom sur la carte",
    optional: "(facultatif)",
    numberMissing: "Saisissez le numéro de carte.",
    numberWrong: "Vérifiez le numéro de carte\u00a0: un chiffre semble faux ou manquant.",
    expiryMissing: "Saisissez la date d’expiration.",
    expiryWrong: "Saisissez la date d’expiration sous la forme 08 / 31.",
    expired: "Cette carte a expiré.",
    yearWrong: "Vérifiez l’année d’expiration.",
    cvcMissing: "Saisissez le code de sécurité.",
    cvcWrong: "Saisissez le code de sécurité\u00a0: 3 ou 4 chiffres.",
    cvcLength: (digits) => `Le code de sécurité de cette carte comporte ${digits} chiffres.`,
    testCardsOnly: "Le mode test n’accepte que les cartes de test. Choisissez-en une dans la liste.",
  },

  testCards: {
    title: "Cartes de test",
    text: "Aucun mouvement d’argent. Toute date d’expiration future et tout code de sécurité conviennent.",
  },

  charges: {
    dueWhenSaved: (total) => `Cette carte sera débitée de ${total} dès que vous l’enregistrerez\u00a0:`,
    dueIfSaved: (total) => `Si vous enregistrez cette carte, elle sera aussi débitée de ${total}\u00a0:`,
    more: "Et",
    onePeriod: "1 autre période",
    periods: (count) => `${count} autres périodes`,
    total: "Au total",
    next: (amount, title, day) => `Prochain débit\u00a0: ${amount} pour ${title}, le ${day}.`,
  },

  declines: {
    card_declined: "Votre banque a refusé la carte. Essayez une autre carte ou contactez votre banque.",
    insufficient_funds: "La provision de la carte est insuffisante. Essayez une autre carte.",
    limit_exceeded: "Le paiement dépasse le plafond de la carte. Essayez une autre carte ou contactez votre banque.",
    processing_error: "Le paiement n’a pas pu être traité. Réessayez dans un instant.",
    gateway_refused:
      "Le commerçant ne peut pas accepter ce paiement pour le moment. Rien n’a été débité. Veuillez le contacter.",
    authentication_required: "Votre banque vous demande de confirmer vous-même les paiements avec cette carte.",
    authentication_failed:
      "Le paiement n’a pas été confirmé auprès de votre banque. Réessayez ou utilisez une autre carte.",
    abandoned: "Le paiement n’a pas été finalisé.",
    expired_card: "La carte a expiré. Essayez une autre carte.",
    incorrect_number: "Le numéro de carte est incorrect. Vérifiez-le ou essayez une autre carte.",
    incorrect_cvc: "Le code de sécurité est incorrect. Vérifiez-le et réessayez.",
    card_not_supported: "La carte ne permet pas ce type de paiement. Essayez une autre carte.",
    card_blocked: "Votre banque a refusé la carte. Essayez une autre carte ou contactez votre banque.",
  },

  transfer: {
    title: (amount, business) => `Payer ${amount} à ${business} par virement bancaire`,
    heading: "Payer par virement bancaire",
    testMode: (business) => `Mode test\u00a0: ne faites aucun virement. Il s’agit du vrai compte de ${business}.`,
    awaiting: (business) => `${business} attend votre virement.`,
    amount: "Montant",
    holder: "Titulaire du compte",
    reference: "Référence du paiement",
    referenceHint: (business) =>
      `Indiquez exactement cette référence, afin que ${business} puisse identifier votre paiement.`,
    qrCodeLabel: (amount, holder) =>
      `Code QR pour un virement bancaire de ${amount} à ${holder}, avec les informations ci-dessus`,
    scan: "Scannez le code avec votre application bancaire",
    toFillIn: "pour préremplir le virement.",
    duration: (business) =>
      `Un virement prend généralement un jour ouvré. Dès que ${business} l’aura confirmé, vous trouverez le reçu sur cette page.`,
    byCard: "Payer plutôt par carte",
  },

  paid: {
    title: (title) => `Payé\u00a0: ${title}`,
    heading: "Déjà payé",
    nothingLeft: "Il n’y a plus rien à payer.",
    notAgain: "Aucun second débit n’a été effectué.",
    receipt: "Reçu",
    received: "Votre paiement a été reçu.",
    noCard:
      "Aucune carte n’est enregistrée pour les prochains paiements. Si vous en enregistrez une, ils seront débités sur cette carte.",
    saveCard: "Enregistrer une carte",
  },

  inFlight: {
    title: "Vérification de votre paiement",
    heading: "Nous vérifions votre paiement",
    opened: (amount, business) =>
      `Vous avez commencé un paiement de ${amount} à ${business}. Nous ne pouvons pas vérifier son état pour le moment.`,
    processing: (amount, business) => `Votre paiement de ${amount} à ${business} est en cours de traitement.`,
    wait: "Veuillez ne pas payer une nouvelle fois. Cette page s’actualise automatiquement.",
  },

  bank: {
    title: "Confirmez auprès de votre banque",
    text: (amount, business) => `Votre banque vous demande de confirmer le paiement de ${amount} à ${business}.`,
    proceed: "Continuer vers votre banque",
    back: "Utiliser une autre carte",
  },
  unfinished: {
    title: "Votre paiement n’est pas finalisé",
    text: (amount, business) =>
      `Vous avez commencé un paiement de ${amount} à ${business}. Aucun montant n’a encore été débité.`,
    proceed: "Continuer le paiement",
    back: "Recommencer",
  },
  opening: {
    title: "Ouverture de la page de paiement sécurisée",
    text: (amount, business) => `Vous y paierez ${amount} à ${business}.`,
  },

  closed: {
    expired: "Ce lien de paiement a expiré",
    inactive: "Ce lien de paiement n’est pas actif",
    deleted: "Ce lien de paiement n’est plus disponible",
    askForNew: (business) => `Vous ne pouvez pas payer avec ce lien. Veuillez en demander un nouveau à ${business}.`,
    paused: (business) => `${business} a suspendu ce lien. Vous ne pouvez pas l’utiliser pour payer pour le moment.`,
    ended: "Cet abonnement est terminé",
    cancelled: (business) => `Votre abonnement auprès de ${business} a été résilié. Ce paiement n’est plus dû.`,
    completed: (business) =>
      `Votre abonnement auprès de ${business} est arrivé à son terme. Ce paiement n’est plus dû.`,
    payAnyway: (business) => `Pour le payer quand même ou vous réabonner, contactez ${business}.`,
    noGateway: "Les paiements ne sont pas encore disponibles",
    noGatewayText: (business) => `${business} ne peut pas encore accepter de paiements ici.`,
  },

  activate: {
    title: (business) => `Enregistrer votre carte auprès de ${business}`,
    declined: "La carte n’a pas été enregistrée",
    declines: {
      gateway_refused:
        "Le commerçant ne peut pas enregistrer de carte pour le moment. Rien n’a été débité. Veuillez le contacter.",
      processing_error: "La carte n’a pas pu être vérifiée. Rien n’a été débité. Réessayez dans un instant.",
    },
    heading: "Enregistrez votre carte",
    nothingNow: "Rien n’est débité maintenant.",
    later: (business) => `${business} pourra débiter plus tard cette carte des montants convenus avec vous.`,
    button: "Enregistrer la carte",
    buttonAndPay: (total) => `Enregistrer la carte et payer ${total}`,
    buttonToGateway: "Continuer pour enregistrer votre carte",
    buttonToGatewayAndPay: (total) => `Continuer pour enregistrer votre carte et payer ${total}`,
    opening: "Ouverture de la page sécurisée pour enregistrer la carte",
    openingText: (business) => `Vous y enregistrerez votre carte pour ${business}.`,
    nothing: "Rien n’est débité.",
    willBeCharged: (total) => `Elle sera débitée de ${total} une fois enregistrée.`,
    saved: "Carte enregistrée",
    savedHeading: "Votre carte est enregistrée",
    inAMoment: (total) => `Elle sera débitée de ${total} dans un instant.`,
    someDeclined: (business) =>
      `Un paiement a été refusé. Contactez ${business} ou payez avec le lien que vous avez reçu.`,
    wereCharged: "Ces paiements ont été débités\u00a0:",
    nothingCharged: "Rien n’a été débité. Vous pouvez maintenant fermer cette page.",
    charged: (amount) => `Débit de ${amount} effectué`,
    notCharged: (amount) => `Débit de ${amount} refusé`,
    charging: (amount) => `Débit de ${amount} en cours`,
    noGateway: "Les cartes ne peuvent pas encore être enregistrées",
    noGatewayText: (business) => `${business} ne peut pas encore enregistrer de cartes ici.`,
    expired: "Ce lien a expiré",
    revoked: "Ce lien n’est plus valable",
    closedText: (business) =>
      `Vous ne pouvez pas enregistrer de carte avec ce lien. Veuillez en demander un nouveau à ${business}.`,
  },

  subscription: {
    each: {
      daily: "par jour",
      weekly: "par semaine",
      monthly: "par mois",
      quarterly: "par trimestre",
      semiannual: "tous les 6 mois",
      yearly: "par an",
    },
    cardFor: "Carte pour",
    chargedFor: (price) => `Débitée pour votre abonnement\u00a0: ${price}.`,
  },

  tax: {
    included: (percent, amount) => `Dont taxe (${percent})\u00a0: ${amount}`,
    net: "Montant hors taxe",
    line: (percent) => `Taxe (${percent})`,
    total: "Montant total",
  },

  receipt: {
    title: (business) => `Reçu de ${business}`,
    heading: "Reçu",
    seller: "De",
    reference: "Référence",
    paidOn: "Payé le",
    number: "Numéro de reçu",
    testMode: "Paiement de test, aucun mouvement d’argent",
    reversed: (day) => `Ce paiement a été annulé le ${day} et n’est plus considéré comme payé`,
    refundedInFull: "Ce paiement a été intégralement remboursé",
    refunds: "Remboursements",
    date: "Date",
    state: "État",
    amount: "Montant",
    succeeded: "Remboursé",
    pending: "Remboursement en cours",
    paid: "Payé",
    refunded: "Remboursé",
    net: "Payé après remboursement",
    pendingText: "Un remboursement en cours est déduit une fois effectué.",
    download: "Télécharger le PDF",
    page: (page, pages) => `Page ${page} sur ${pages}`,
    replaced: (sign) => `${sign} remplace un caractère qui ne peut pas être imprimé.`,
    cut: "Un texte qui se termine par … a été tronqué.",
    seeWeb: "Consultez le reçu en ligne pour le texte complet.",
  },

  limited: {
    title: "Trop de tentatives",
    oneSecond: "1 seconde",
    seconds: (count) => `${count} secondes`,
    minutes: (count) => `${count} minutes`,
    text: (time) => `Veuillez patienter ${time}, puis réessayer. Aucun montant n’a été débité.`,
    back: "Retour au formulaire",
  },

  problems: {
    link_unknown: {
      title: "Nous ne trouvons pas ce paiement",
      text: "Le lien est incomplet ou erroné. Veuillez l’ouvrir exactement tel que vous l’avez reçu.",
    },
    token_unknown: {
      title: "Nous ne trouvons pas cette page",
      text: "Le lien est incomplet ou erroné. Veuillez l’ouvrir exactement tel que vous l’avez reçu.",
    },
    receipt_unknown: {
      title: "Nous ne trouvons pas ce reçu",
      text: "Le lien est incomplet ou erroné. Veuillez l’ouvrir exactement tel que vous l’avez reçu.",
    },
    page_unknown: { title: "Nous ne trouvons pas cette page", text: "Il n’y a pas de page à cette adresse." },
    method: {
      title: "Cela n’a pas fonctionné",
      text: "Veuillez rouvrir la page à partir du lien que vous avez reçu.",
    },
    too_large: {
      title: "Le formulaire est trop volumineux",
      text: "Aucun montant n’a été débité. Veuillez revenir en arrière et réessayer.",
    },
    not_a_form: {
      title: "Nous n’avons pas pu lire le formulaire",
      text: "Aucun montant n’a été débité. Veuillez revenir en arrière et réessayer.",
    },
    limited: {
      title: "Trop de tentatives",
      text: "Trop de liens non valides ont été ouverts depuis votre réseau. Veuillez patienter une minute, puis rouvrir la page.",
    },
    failed: {
      title: "Une erreur s’est produite de notre côté",
      text: "Veuillez patienter un instant, puis rouvrir la page. Elle indique si vous avez payé.",
    },
    away: {
      title: "Temporairement indisponible",
      text: "Veuillez rouvrir la page dans quelques secondes. Elle indique si vous avez payé.",
    },
    card_away: {
      title: "Temporairement indisponible",
      text: "Veuillez rouvrir la page dans quelques secondes. Elle indique si votre carte est enregistrée.",
    },
  },
};

export default pages;
