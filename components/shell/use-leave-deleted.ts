import { useRouter } from "next/navigation";
import { useContext } from "react";
import { InPeek } from "@/components/ui/list/peek-context";

/** @returns leaves a deleted resource: its page for the list, the side peek for the next row */
export function useLeaveDeleted(list: string): () => void {
  const router = useRouter();
  const peeked = useContext(InPeek);
  return peeked ? peeked.leave : () => router.replace(list);
}
