import type { Role } from "@/lib/auth/scopes";

export const roleLabels: Record<Role, string> = {
  owner: "Owner",
  admin: "Admin",
  developer: "Developer",
  support: "Support",
  viewer: "Viewer",
};

export const roleSays: Record<Role, string> = {
  owner: "Everything, and who else is an owner.",
  admin: "Everything, and the team but for its owners.",
  developer: "Everything but the team: also keys and refunds.",
  support: "Reads everything and sends payment links. No refunds, no keys.",
  viewer: "Reads everything but keys, gateway and audit log, and changes nothing.",
};
