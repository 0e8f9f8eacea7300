/** A column of exported lists with a payer's address. As all newer ones it is at the end, so that readers by position keep working. */
export const customerNameColumn = "customer_name";

/** For the descriptions of these exports. */
export const customerNameNote = "`customer_name` is empty without a name, and for keys without `customers:read`.";
