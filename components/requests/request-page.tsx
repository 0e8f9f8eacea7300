"use client";

import { useQuery } from "@tanstack/react-query";
import { useTimeZone, useTranslations } from "use-intl";
import { DetailFrame } from "@/components/shell/detail-frame";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { DetailHead, Fact, Facts, linkClass, MomentFact, Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { momentWords } from "@/components/ui/moment";
import type { ApiRequest } from "@/lib/resources/requests/contract";
import { requestQueryOptions } from "@/lib/resources/requests/queries";
import { curlCommand } from "./curl";
import { addressOf, duration, madeBy, StatusPill } from "./words";

export function RequestPage({ id }: { id: string }) {
  const request = useQuery(requestQueryOptions(id));
  const zone = useTimeZone() ?? "UTC";
  return (
    <DetailFrame
      list="/developers/requests"
      id={id}
      of="request"
      query={request}
      about={({ created_at }) => [momentWords(created_at, zone, true)]}
    >
      {(data) => <Loaded request={data} />}
    </DetailFrame>
  );
}

function Loaded({ request }: { request: ApiRequest }) {
  const t = useTranslations("requests.detail");
  const texts = useTranslations();
  const { actor, request_body: sent, response_body: answer } = request;
  const command = curlCommand({
    method: request.method,
    url: `${window.location.origin}/api${addressOf(request)}`,
    key: "$KEY",
    body: sent,
  });
  return (
    <>
      <DetailHead
        title={
          <span className="font-mono text-lg">
            {request.method} {request.path}
          </span>
        }
        badge={<StatusPill status={request.status} />}
      >
        <CopyButton text={command} label={t("copyCurlLabel")} variant="secondary">
          {t("copyCurl")}
        </CopyButton>
      </DetailHead>
      <div className="grid grid-cols-1 gap-6">
        <Panel title={t("details")}>
          <Facts>
            <MomentFact term={t("when")} at={request.created_at} seconds />
            <Fact term={t("took")}>{duration(request)}</Fact>
            <Fact term={t("by")}>
              {actor.type === "api_key" ? (
                <Link
                  href={`/developers/requests?api_key_id=${actor.id}`}
                  title={t("allItsRequests")}
                  className={linkClass}
                >
                  {madeBy(request, texts)}
                </Link>
              ) : (
                madeBy(request, texts)
              )}
            </Fact>
            <Fact term={t("from")}>{request.address}</Fact>
            {request.query && (
              <Fact term={t("query")}>
                <span className="font-mono text-sm">{request.query}</span>
              </Fact>
            )}
            <Fact term="X-Request-Id" wide code>
              {request.request_id}
            </Fact>
          </Facts>
        </Panel>
        <Body title={t("sent")} copy={t("copySent")} text={sent} none={t("noBody")} />
        <Body
          title={t("answered")}
          copy={t("copyAnswered")}
          text={answer}
          none={t(request.status < 400 ? "notKept" : "noBody")}
        />
        <p className="text-sm text-kumo-subtle">{t("redacted")}</p>
      </div>
    </>
  );
}

interface BodyProps {
  title: string;
  copy: string;
  text: string | null;
  none: string;
}

function Body({ title, copy, text, none }: BodyProps) {
  const t = useTranslations("requests.detail");
  return (
    <Panel title={title} action={text !== null && <CopyButton text={pretty(text)} label={copy} />}>
      {text === null ? (
        <p className="px-4 py-4 text-base text-kumo-subtle">{none}</p>
      ) : (
        <CodeBlock label={t("asText", { title })} className="max-h-[50vh] p-4 leading-relaxed">
          {pretty(text)}
        </CodeBlock>
      )}
    </Panel>
  );
}

/** A truncated body is not valid JSON, so it stays unformatted. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
