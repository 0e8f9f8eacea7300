import { useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import type { AnnotationEndpoint, Annotations, AnnotationsBody } from "./contract";

/** Saves metadata or notes, then reloads the queries that show the resource. */
export function useAnnotate(endpoint: AnnotationEndpoint, id: string) {
  const client = useQueryClient();
  const [, root] = endpoint.path.split("/");
  return useMutation({
    mutationFn: (body: AnnotationsBody): Promise<Annotations> => call(endpoint, { id, body }),
    onSettled: () => client.invalidateQueries({ queryKey: [root] }),
  });
}
