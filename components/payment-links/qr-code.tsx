import { DownloadSimpleIcon } from "@phosphor-icons/react/dist/ssr/DownloadSimple";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { buttonVariants } from "@/components/ui/button";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";

/** The standard's quiet zone of four modules, and error correction for print. */
const look = { margin: 4, errorCorrectionLevel: "M" } as const;

export function QrCode({ link }: { link: PaymentLink }) {
  const t = useTranslations("paymentLinks.qrCode");
  const { data } = useQuery({
    queryKey: ["qr-code", link.payment_url],
    queryFn: async () => {
      const { toDataURL, toString: draw } = await import("qrcode");
      const svg = await draw(link.payment_url, { ...look, type: "svg" });
      const png = await toDataURL(link.payment_url, { ...look, width: 1024 });
      return { svg: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, png };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="flex max-w-96 flex-wrap items-center gap-5 p-4">
      {data ? (
        // biome-ignore lint/performance/noImgElement: a data URL needs no optimizing
        <img src={data.svg} alt={t("alt", { title: link.title })} className="size-36 rounded-lg bg-white" />
      ) : (
        <span className="size-36 rounded-lg bg-kumo-fill" />
      )}
      <div className="flex min-w-40 flex-1 flex-wrap gap-2">
        <p className="w-full max-w-64 text-sm text-kumo-subtle">{t("hint")}</p>
        {(["svg", "png"] as const).map((kind) => (
          <a
            key={kind}
            href={data?.[kind]}
            download={`payment-link-${link.reference?.replace(/[^\w-]+/g, "-") || link._id}.${kind}`}
            className={`${buttonVariants({ variant: "secondary", size: "sm" })} max-sm:h-11 max-sm:px-3`}
          >
            <DownloadSimpleIcon size={14} aria-hidden />
            {kind.toUpperCase()}
          </a>
        ))}
      </div>
    </div>
  );
}
