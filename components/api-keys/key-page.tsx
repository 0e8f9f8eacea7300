"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { pageOf } from "@/components/shell/pages";
import { DetailHead, Fact, Facts, linkClass, MomentFact, Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import type { ApiKey } from "@/lib/resources/api-keys/contract";
import { apiKeyQueryOptions } from "@/lib/resources/api-keys/queries";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { KeyMenu } from "./key-menu";
import { KeyBadge, permissionWords } from "./words";

export function KeyPage({ id }: { id: string }) {
  const key = useQuery(apiKeyQueryOptions(id));
  return (
    <DetailFrame list="/developers/keys" id={id} of="apiKey" query={key}>
      {(data) => (
        <>
          <DetailHead title={data.name} badge={<KeyBadge apiKey={data} />}>
            <KeyMenu apiKey={data} variant="secondary" />
          </DetailHead>
          <Details apiKey={data} />
        </>
      )}
    </DetailFrame>
  );
}

function Details({ apiKey }: { apiKey: ApiKey }) {
  const t = useTranslations("apiKeys.detail");
  const may = useMay();
  const texts = useTranslations();
  const { _id: id, hint, status, created_at, last_used_at, expires_at, revoked_at, replaced_by } = apiKey;
  const { allowed_ips, created_by_name } = apiKey;
  const successor = replaced_by && pageOf(replaced_by);
  const requests = may(requestEndpoints.list) && (
    <Link href={`/developers/requests?api_key_id=${id}`} className={`text-base text-kumo-subtle ${linkClass}`}>
      {t("requests")}
    </Link>
  );
  return (
    <Panel title={t("heading")} action={requests}>
      <Facts>
        <Fact term={t("hint")}>
          <span className="font-mono text-sm">{hint}</span>
        </Fact>
        <MomentFact term={t("created")} at={created_at} />
        <Fact term={t("createdBy")}>{created_by_name ?? t("operator")}</Fact>
        <Fact term={t("lastUsed")}>{last_used_at ? <Moment at={last_used_at} time /> : t("never")}</Fact>
        {revoked_at ? (
          <MomentFact term={t("revoked")} at={revoked_at} />
        ) : (
          <Fact term={t(status === "expired" ? "expired" : "expires")}>
            {expires_at ? <Moment at={expires_at} time /> : t("never")}
          </Fact>
        )}
        {successor && (
          <Fact term={t("successor")}>
            <Link href={successor} className={linkClass}>
              {t("open")}
            </Link>
          </Fact>
        )}
        <Fact term={t("may")} wide>
          {permissionWords(apiKey, texts)}
        </Fact>
        <Fact term={t("allowedIps")} wide>
          {allowed_ips.length > 0 ? allowed_ips.join(", ") : t("allIps")}
        </Fact>
        <Fact term={t("id")} wide code>
          {id}
        </Fact>
      </Facts>
    </Panel>
  );
}
