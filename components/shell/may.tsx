import { createContext, useContext } from "react";
import { mayCall, type Role } from "@/lib/auth/scopes";
import type { Mode } from "@/lib/client/call";
import type { Endpoint } from "@/lib/http/endpoint";

export const OwnRole = createContext<Role>("viewer");

export const useOwnRole = (): Role => useContext(OwnRole);

export const ShownMode = createContext<Mode>("test");

export const useMode = (): Mode => useContext(ShownMode);

/** Whether the user may call an endpoint. Actions that the API would refuse are hidden. */
export function useMay(): (endpoint: Pick<Endpoint, "scope">) => boolean {
  const role = useOwnRole();
  return (endpoint) => mayCall(role, endpoint);
}
