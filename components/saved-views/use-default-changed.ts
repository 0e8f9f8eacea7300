import { useRouter } from "next/navigation";

/** Forgets the pages that were loaded in advance: a list opens with its default view (app/(dashboard)/list-page.tsx). */
export function useDefaultChanged(): () => void {
  const router = useRouter();
  return () => router.refresh();
}
