import { handle, methods } from "@/lib/http/handle";
import { changeCustomerEmail } from "@/lib/resources/customers/change-email";
import { customerEndpoints as endpoints } from "@/lib/resources/customers/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.changeEmail, ({ actor, params, body, tx }) => changeCustomerEmail(tx, actor, params.id, body)),
);
