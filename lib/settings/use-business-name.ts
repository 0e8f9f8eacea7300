import { useQuery } from "@tanstack/react-query";
import { call } from "@/lib/api/client";
import { settingsEndpoints } from "./contract";

/** The business's name as its payers read it; undefined until it is known. */
export function useBusinessName(): string | undefined {
  const { data } = useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => call(settingsEndpoints.get, { signal }),
    staleTime: 300_000,
  });
  return data?.name;
}
