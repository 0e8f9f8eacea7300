import type { PageTexts } from "@/messages/payer/en/pages";

const pages: PageTexts = {
  frame: {
    testMode: "Modo de prueba",
    questions: (business) => `¿Tiene alguna pregunta? Contacte con ${business}:`,
    poweredBy: "Pagos con Paydesk",
  },
  or: "o",
  continue: "Continuar",
  goTo: (business) => `Ir a ${business}`,
  takingBack: (business) => `Le redirigimos a ${business}.`,
  notCharged: "No se le ha cobrado nada.",
  canClose: "Ya puede cerrar esta página.",
  thanks: "Gracias",

  facts: {
    amount: "Importe",
    for: "Concepto",
    paidTo: "Beneficiario",
    date: "Fecha",
    card: "Tarjeta",
    paidWith: "Forma de pago",
  },
  card: (brand, last4) => `${brand} terminada en ${last4}`,
  methods: { transfer: "Transferencia bancaria", cash: "Efectivo", cheque: "Cheque", other: "Otra" },

  pay: {
    title: (amount, business) => `Pagar ${amount} a ${business}`,
    titleWithErrors: (title) => `Compruebe los datos: ${title}`,
    byCard: "Pagar con tarjeta",
    button: (amount) => `Pagar ${amount}`,
    buttonToGateway: (amount) => `Continuar para pagar ${amount}`,
    safeAtGateway: "Usted introduce su tarjeta en la página de nuestro proveedor de pagos. Nosotros nunca la vemos.",
    safe: "Su número de tarjeta se usa solo para este pago y no se guarda.",
    safeWhenSaving: "Nunca guardamos su número de tarjeta.",
    byTransfer: "Pagar por transferencia bancaria",
    awaiting: (business) => `${business} está esperando su transferencia`,
    awaitingText:
      "Si ya la ha enviado, no tiene que hacer nada más. Si lo prefiere, puede pagar con tarjeta en su lugar.",
    saveCard: "Guardar mi tarjeta para futuros pagos",
    failed: "El pago ha fallado",
    changed: "Este pago ha cambiado",
    changedText: (amount) => `El importe es ahora de ${amount}. No se le ha cobrado nada. Compruébelo antes de pagar.`,
    changedTaxText: (amount) =>
      `Los impuestos incluidos han cambiado. El importe sigue siendo de ${amount}. No se le ha cobrado nada. Compruebe los impuestos antes de pagar.`,
  },

  fields: {
    check: "Compruebe los datos de la tarjeta",
    number: "Número de tarjeta",
    expiry: "Caducidad",
    expiryExample: "MM / AA",
    cvc: "Cód. de seguridad",
    holder: "Nombre en la tarjeta",
    optional: "(opcional)",
    numberMissing: "Introduzca el número de tarjeta.",
    numberWrong: "Compruebe el número de tarjeta: parece que un dígito es incorrecto o falta.",
    expiryMissing: "Introduzca la fecha de caducidad.",
    expiryWrong: "Introduzca la fecha de caducidad con el formato 08 / 31.",
    expired: "Esta tarjeta ha caducado.",
    yearWrong: "Compruebe el año de caducidad.",
    cvcMissing: "Introduzca el código de seguridad.",
    cvcWrong: "Introduzca el código de seguridad: 3 o 4 dígitos.",
    cvcLength: (digits) => `El código de seguridad de esta tarjeta tiene ${digits} dígitos.`,
    testCardsOnly: "El modo de prueba solo admite tarjetas de prueba. Elija una de la lista.",
  },

  testCards: {
    title: "Tarjetas de prueba",
    text: "No se mueve dinero. Sirven cualquier fecha de caducidad futura y cualquier código de seguridad.",
  },

  charges: {
    dueWhenSaved: (total) => `Se cobrarán ${total} en esta tarjeta cuando la guarde:`,
    dueIfSaved: (total) => `Si guarda esta tarjeta, también se cobrarán en ella ${total}:`,
    more: "Y",
    onePeriod: "1 periodo más",
    periods: (count) => `${count} periodos más`,
    total: "En total",
    next: (amount, title, day) => `Próximo cobro: ${amount} por ${title} el ${day}.`,
  },

  declines: {
    card_declined: "Su banco ha rechazado la tarjeta. Pruebe con otra tarjeta o consulte a su banco.",
    insufficient_funds: "La tarjeta no tiene saldo suficiente. Pruebe con otra tarjeta.",
    limit_exceeded: "El pago supera el límite de la tarjeta. Pruebe con otra tarjeta o consulte a su banco.",
    processing_error: "No se ha podido procesar el pago. Vuelva a intentarlo en un momento.",
    gateway_refused:
      "El comercio no puede aceptar este pago en este momento. No se ha cobrado nada. Póngase en contacto con él.",
    authentication_required: "Su banco le pide que confirme personalmente los pagos con esta tarjeta.",
    authentication_failed: "El pago no se ha confirmado con su banco. Vuelva a intentarlo o use otra tarjeta.",
    abandoned: "El pago no se ha completado.",
    expired_card: "La tarjeta ha caducado. Pruebe con otra tarjeta.",
    incorrect_number: "El número de tarjeta no es correcto. Compruébelo o pruebe con otra tarjeta.",
    incorrect_cvc: "El código de seguridad no es correcto. Compruébelo y vuelva a intentarlo.",
    card_not_supported: "La tarjeta no admite este tipo de pago. Pruebe con otra tarjeta.",
    card_blocked: "Su banco ha rechazado la tarjeta. Pruebe con otra tarjeta o consulte a su banco.",
  },

  transfer: {
    title: (amount, business) => `Pagar ${amount} a ${business} por transferencia bancaria`,
    heading: "Pagar por transferencia bancaria",
    testMode: (business) => `Modo de prueba: no transfiera dinero. Esta es la cuenta real de ${business}.`,
    awaiting: (business) => `${business} está esperando su transferencia.`,
    amount: "Importe",
    holder: "Titular de la cuenta",
    reference: "Concepto de la transferencia",
    referenceHint: (business) => `Indique exactamente este concepto para que ${business} pueda identificar su pago.`,
    qrCodeLabel: (amount, holder) =>
      `Código QR para una transferencia bancaria de ${amount} a ${holder}, con los datos anteriores`,
    scan: "Escanee el código con la aplicación de su banco",
    toFillIn: "para rellenar la transferencia.",
    duration: (business) =>
      `Una transferencia suele tardar un día hábil. Cuando ${business} la haya confirmado, encontrará el recibo en esta página.`,
    byCard: "Pagar con tarjeta",
  },

  paid: {
    title: (title) => `Pagado: ${title}`,
    heading: "Ya está pagado",
    nothingLeft: "No queda nada por pagar.",
    notAgain: "No se le ha cobrado una segunda vez.",
    receipt: "Recibo",
    received: "Hemos recibido su pago.",
    noCard: "No hay ninguna tarjeta guardada para futuros pagos. Si guarda una, los pagos se cobrarán en ella.",
    saveCard: "Guardar una tarjeta",
  },

  inFlight: {
    title: "Comprobando su pago",
    heading: "Estamos comprobando su pago",
    opened: (amount, business) =>
      `Ha iniciado un pago de ${amount} a ${business}. En este momento no podemos comprobar su estado.`,
    processing: (amount, business) => `Su pago de ${amount} a ${business} se está procesando.`,
    wait: "No vuelva a pagar. Esta página se actualiza sola.",
  },

  bank: {
    title: "Confirme el pago con su banco",
    text: (amount, business) => `Su banco le pide que confirme el pago de ${amount} a ${business}.`,
    proceed: "Ir a su banco",
    back: "Usar otra tarjeta",
  },
  unfinished: {
    title: "Su pago no se ha completado",
    text: (amount, business) => `Ha iniciado un pago de ${amount} a ${business}. Aún no se le ha cobrado nada.`,
    proceed: "Continuar con el pago",
    back: "Empezar de nuevo",
  },
  opening: {
    title: "Abriendo la página de pago segura",
    text: (amount, business) => `Allí pagará ${amount} a ${business}.`,
  },

  closed: {
    expired: "Este enlace de pago ha caducado",
    inactive: "Este enlace de pago no está activo",
    deleted: "Este enlace de pago ya no está disponible",
    askForNew: (business) => `No puede pagar con este enlace. Pida uno nuevo a ${business}.`,
    paused: (business) => `${business} ha pausado este enlace. Por ahora no puede pagar con él.`,
    ended: "Esta suscripción ha terminado",
    cancelled: (business) => `Su suscripción con ${business} se ha cancelado. Este pago ya no está pendiente.`,
    completed: (business) => `Su suscripción con ${business} ha finalizado. Este pago ya no está pendiente.`,
    payAnyway: (business) =>
      `Si desea pagarlo de todos modos o suscribirse de nuevo, póngase en contacto con ${business}.`,
    noGateway: "Los pagos aún no están disponibles",
    noGatewayText: (business) => `${business} todavía no puede aceptar pagos aquí.`,
  },

  activate: {
    title: (business) => `Guardar su tarjeta con ${business}`,
    declined: "La tarjeta no se ha guardado",
    declines: {
      gateway_refused:
        "El comercio no puede guardar tarjetas en este momento. No se ha cobrado nada. Póngase en contacto con él.",
      processing_error:
        "No se ha podido comprobar la tarjeta. No se ha cobrado nada. Vuelva a intentarlo en un momento.",
    },
    heading: "Guarde su tarjeta",
    nothingNow: "Ahora no se cobra nada.",
    later: (business) => `${business} podrá cobrar más adelante en esta tarjeta los importes acordados con usted.`,
    button: "Guardar tarjeta",
    buttonAndPay: (total) => `Guardar tarjeta y pagar ${total}`,
    buttonToGateway: "Continuar para guardar su tarjeta",
    buttonToGatewayAndPay: (total) => `Continuar para guardar su tarjeta y pagar ${total}`,
    opening: "Abriendo la página segura para guardar la tarjeta",
    openingText: (business) => `Allí guardará su tarjeta para ${business}.`,
    nothing: "No se cobra nada.",
    willBeCharged: (total) => `Se cobrarán ${total} en ella cuando la haya guardado.`,
    saved: "Tarjeta guardada",
    savedHeading: "Su tarjeta está guardada",
    inAMoment: (total) => `En breve se cobrarán ${total} en ella.`,
    someDeclined: (business) =>
      `Se ha rechazado un pago. Póngase en contacto con ${business} o pague con el enlace que recibió.`,
    wereCharged: "Se han cobrado en ella estos pagos:",
    nothingCharged: "No se ha cobrado nada. Ya puede cerrar esta página.",
    charged: (amount) => `${amount}: cobrado`,
    notCharged: (amount) => `${amount}: cobro rechazado`,
    charging: (amount) => `${amount}: cobro en curso`,
    noGateway: "Aún no se pueden guardar tarjetas",
    noGatewayText: (business) => `${business} todavía no puede guardar tarjetas aquí.`,
    expired: "Este enlace ha caducado",
    revoked: "Este enlace ya no es válido",
    closedText: (business) => `No puede guardar una tarjeta con este enlace. Pida uno nuevo a ${business}.`,
  },

  subscription: {
    each: {
      daily: "al día",
      weekly: "a la semana",
      monthly: "al mes",
      quarterly: "al trimestre",
      semiannual: "cada 6 meses",
      yearly: "al año",
    },
    cardFor: "Tarjeta para",
    chargedFor: (price) => `Se cobrará por su suscripción: ${price}.`,
  },

  tax: {
    included: (percent, amount) => `Incluye un ${percent} de impuestos: ${amount}`,
    net: "Importe neto",
    line: (percent) => `Impuestos (${percent})`,
    total: "Importe total",
  },

  receipt: {
    title: (business) => `Recibo de ${business}`,
    heading: "Recibo",
    seller: "De",
    reference: "Referencia",
    paidOn: "Pagado el",
    number: "Número de recibo",
    testMode: "Pago de prueba, no se ha movido dinero",
    reversed: (day) => `Este pago se anuló el ${day} y ya no cuenta como pagado`,
    refundedInFull: "Este pago se ha reembolsado por completo",
    refunds: "Reembolsos",
    date: "Fecha",
    state: "Estado",
    amount: "Importe",
    succeeded: "Reembolsado",
    pending: "Reembolso pendiente",
    paid: "Pagado",
    refunded: "Reembolsado",
    net: "Pagado tras el reembolso",
    pendingText: "Un reembolso pendiente se descuenta cuando se completa.",
    download: "Descargar PDF",
    page: (page, pages) => `Página ${page} de ${pages}`,
    replaced: (sign) => `${sign} sustituye un carácter que no se puede imprimir.`,
    cut: "El texto que termina en … está cortado.",
    seeWeb: "Consulte el texto completo en el recibo web.",
  },

  limited: {
    title: "Demasiados intentos",
    oneSecond: "1 segundo",
    seconds: (count) => `${count} segundos`,
    minutes: (count) => `${count} minutos`,
    text: (time) => `Espere ${time} y vuelva a intentarlo. No se le ha cobrado nada.`,
    back: "Volver al formulario",
  },

  problems: {
    link_unknown: {
      title: "No encontramos este pago",
      text: "El enlace está incompleto o es incorrecto. Ábralo exactamente como lo recibió.",
    },
    token_unknown: {
      title: "No encontramos esta página",
      text: "El enlace está incompleto o es incorrecto. Ábralo exactamente como lo recibió.",
    },
    receipt_unknown: {
      title: "No encontramos este recibo",
      text: "El enlace está incompleto o es incorrecto. Ábralo exactamente como lo recibió.",
    },
    page_unknown: { title: "No encontramos esta página", text: "No hay ninguna página en esta dirección." },
    method: {
      title: "No ha funcionado",
      text: "Vuelva a abrir la página desde el enlace que recibió.",
    },
    too_large: {
      title: "El formulario es demasiado grande",
      text: "No se le ha cobrado nada. Vuelva atrás e inténtelo de nuevo.",
    },
    not_a_form: {
      title: "No hemos podido leer el formulario",
      text: "No se le ha cobrado nada. Vuelva atrás e inténtelo de nuevo.",
    },
    limited: {
      title: "Demasiados intentos",
      text: "Se han abierto demasiados enlaces no válidos desde su red. Espere un minuto y vuelva a abrir la página.",
    },
    failed: {
      title: "Algo ha fallado por nuestra parte",
      text: "Espere un momento y vuelva a abrir la página. Le mostrará si ha pagado.",
    },
    away: {
      title: "Temporalmente no disponible",
      text: "Vuelva a abrir la página en unos segundos. Le mostrará si ha pagado.",
    },
    card_away: {
      title: "Temporalmente no disponible",
      text: "Vuelva a abrir la página en unos segundos. Le mostrará si su tarjeta está guardada.",
    },
  },
};

export default pages;
