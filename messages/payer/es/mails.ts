import type { MailTexts } from "@/messages/payer/en/mails";

const mails: MailTexts = {
  frame: {
    testSubject: (subject) => `[Prueba] ${subject}`,
    testMode: "Modo de prueba: no se mueve dinero.",
    reply: "¿Tiene alguna pregunta? Responda a este correo o escriba a",
    orCall: (phone) => ` o llame al ${phone}.`,
    call: (phone) => `¿Tiene alguna pregunta? Llame al ${phone}.`,
    sentBy: (business) => `Enviado por ${business}. Pagos con Paydesk.`,
    ifButtonFails: "Si el botón no funciona, abra",
    labelled: (name) => `${name}:`,
  },
  facts: {
    for: "Concepto",
    amount: "Importe",
    card: "Tarjeta",
    reference: "Referencia",
    paidOn: "Pagado el",
    paidWith: "Forma de pago",
    receiptNumber: "Número de recibo",
  },
  viewReceipt: "Ver recibo",
  useAnotherCard: "Usar otra tarjeta",

  paymentLink: {
    subject: (amount, title) => `${amount} por pagar: ${title}`,
    preview: (business, amount) => `${business} le pide que pague ${amount}.`,
    heading: (amount) => `Por favor, pague ${amount}`,
    sent: (business) => `${business} le ha enviado un enlace de pago.`,
    payNow: (business, moment) =>
      `Pague ahora este periodo de su suscripción con ${business}. De lo contrario, el ${moment} se cobrará en la tarjeta guardada.`,
    cardDeclined: (business) =>
      `${business} no ha podido cobrar este periodo de su suscripción en su tarjeta guardada.`,
    period: (business) => `Por favor, pague este periodo de su suscripción con ${business}.`,
    payBefore: "Pagar antes del",
    pay: (amount) => `Pagar ${amount}`,
    unexpected: "¿No esperaba este correo? Puede ignorarlo. No se cobra nada automáticamente.",
    canSaveCard: "Después de pagar, puede guardar una tarjeta para los próximos pagos.",
  },

  receipt: {
    subject: (amount, title) => `Recibo: ${amount} por ${title}`,
    preview: (amount, business) => `Ha pagado ${amount} a ${business}.`,
    heading: "Gracias por su pago",
    text: (business, amount) => `${business} ha recibido ${amount}.`,
  },

  refund: {
    subject: (amount, title) => `Reembolso: ${amount} por ${title}`,
    preview: (business, amount) => `${business} le ha reembolsado ${amount}.`,
    previewToCard: (business, amount) => `${business} ha reembolsado ${amount} en su tarjeta.`,
    heading: (amount) => `Su reembolso de ${amount} está en camino`,
    headingByHand: (amount) => `Su reembolso de ${amount}`,
    text: (business, amount) => `${business} le ha reembolsado ${amount}.`,
    textToCard: (business, amount) =>
      `${business} ha reembolsado ${amount} en la tarjeta con la que pagó. Su banco mostrará el reembolso en un plazo de 5 a 10 días.`,
    refund: "Reembolso",
    tax: (percent) => `Impuesto en el reembolso (${percent})`,
    refundedOn: "Reembolsado el",
    paid: "Pagado",
    net: "Pagado tras el reembolso",
    number: "Número de reembolso",
    missing: (business) =>
      `¿No lo ve después de 10 días? Póngase en contacto con ${business} e indique el número de reembolso.`,
  },

  paymentFailed: {
    subject: (amount, title) => `Pago fallido: ${amount} por ${title}`,
    preview: (business, amount) => `${business} no ha podido cobrar ${amount} en su tarjeta.`,
    heading: (amount) => `Su pago de ${amount} ha fallado`,
    text: (business) => `${business} no ha podido cobrar en su tarjeta guardada. No se le ha cobrado nada.`,
    attemptedOn: "Fecha del intento",
    nextAttempt: "Próximo intento",
    payNow: (amount) => `Pagar ${amount} ahora`,
    confirmNow: (amount) => `Confirmar y pagar ${amount} ahora`,
    hard: "No volveremos a cobrar en esta tarjeta. Pague con otra tarjeta; después podrá guardarla para los próximos pagos.",
    noRetry: "No volveremos a intentarlo con esta tarjeta. Puede pagar con cualquier tarjeta.",
    retry: (moment) =>
      `Pague ahora con cualquier tarjeta o no haga nada: el ${moment} volveremos a intentarlo con la tarjeta guardada.`,
  },
};

export default mails;
