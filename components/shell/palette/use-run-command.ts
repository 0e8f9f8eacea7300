import { usePathname } from "next/navigation";
import { useSignOut } from "@/components/shell/end-session";
import { useKeyList } from "@/components/shell/keys/use-key-list";
import { listOf, switchMode } from "@/components/shell/mode";
import { useSwitchBusiness } from "@/components/shell/open-elsewhere";
import { applyTheme } from "@/components/shell/theme";
import { mayLeave } from "@/components/ui/unsaved";
import type { Command } from "./choice";

export function useRunCommand(): (command: Command) => Promise<void> {
  const path = usePathname();
  const [enter] = useSwitchBusiness();
  const listKeys = useKeyList();
  const signOut = useSignOut();
  return async (command) => {
    if (command.does === "showTheme") applyTheme(command.theme);
    else if (command.does === "switchMode") (await mayLeave()) && switchMode(command.mode, listOf(path));
    else if (command.does === "switchBusiness") await enter(command.id, "/");
    else if (command.does === "listKeys") listKeys();
    else await signOut();
  };
}
