import { grantableScopes } from "@/lib/auth/scopes";
import { sections } from "@/lib/resources/endpoints";
import { type SampleRequest, sampleRequest } from "./samples";

export interface CallableEndpoint {
  /** "POST /payment-links" */
  name: string;
  summary: string;
  description: string | null;
  scope: string;
  /** Its URL is below the base address. */
  request: SampleRequest;
}

export interface CallableSection {
  name: string;
  endpoints: CallableEndpoint[];
}

/** The endpoints that a key can call. On the server: in the browser, contracts have no texts and no examples. */
export const callableSections = (): CallableSection[] =>
  sections
    .map(({ name, endpoints }) => ({
      name,
      endpoints: Object.values(endpoints).flatMap((endpoint): CallableEndpoint[] => {
        const { method, path, summary, description, scope } = endpoint;
        if (scope === null || !grantableScopes.includes(scope)) return [];
        const request = sampleRequest(endpoint, "");
        return [
          { name: `${method} ${path}`, summary, description: description?.replaceAll("`", "") ?? null, scope, request },
        ];
      }),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
