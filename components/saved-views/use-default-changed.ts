import { useRouter } from "next/navigation";

/** Discards prefetched pages after the default view has changed: the server redirects a list to it (app/(dashboard)/list-page.tsx). */
export function useDefaultChanged(): () => void {
  const router = useRouter();
  return () => router.refresh();
}
