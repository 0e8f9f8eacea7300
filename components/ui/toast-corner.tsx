import { Toasty, useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { useEffect } from "react";
import { shownBy } from "./toasts";

export function ToastCorner() {
  return (
    <Toasty>
      <Listener />
    </Toasty>
  );
}

function Listener() {
  const { add } = useKumoToastManager();
  useEffect(() => shownBy((toast) => void add(toast)), [add]);
  return null;
}
