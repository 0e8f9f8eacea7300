"use client";

import Link from "next/link";
import { CodeBlock } from "@/components/shell/code-block";
import { DetailFrame, DetailHead, Fact, Facts, linkLook, Panel } from "@/components/shell/detail";
import { CopyButton } from "@/components/ui/copy-button";
import { When } from "@/components/ui/when";
import type { ApiRequest } from "@/lib/requests/contract";
import { curlCommand } from "@/lib/requests/curl";
import { useRequest } from "@/lib/requests/queries";
import { addressOf, askedBy, duration, StatusPill } from "./words";

/** One request to the API: what was asked, what was answered, and how to ask it again. */
export function RequestPage({ id }: { id: string }) {
  const request = useRequest(id);
  return (
    <DetailFrame back={{ href: "/developers/requests", label: "Requests" }} noun="request" query={request}>
      {(data) => <Loaded request={data} />}
    </DetailFrame>
  );
}

function Loaded({ request }: { request: ApiRequest }) {
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
        <CopyButton text={command} what="request as curl" variant="secondary">
          Copy as curl
        </CopyButton>
      </DetailHead>
      <div className="grid grid-cols-1 gap-6">
        <Panel title="Details">
          <Facts>
            <Fact term="When">
              <When at={request.created_at} />
            </Fact>
            <Fact term="Took">{duration(request)}</Fact>
            <Fact term="By">
              {actor.type === "api_key" ? (
                <Link
                  href={`/developers/requests?api_key_id=${actor.id}`}
                  title="All its requests"
                  className={linkLook}
                >
                  {askedBy(request)}
                </Link>
              ) : (
                askedBy(request)
              )}
            </Fact>
            <Fact term="From">{request.address}</Fact>
            {request.query && (
              <Fact term="Query">
                <span className="font-mono text-sm">{request.query}</span>
              </Fact>
            )}
            <Fact term="X-Request-Id" wide>
              <span className="font-mono text-xs">{request.request_id}</span>
            </Fact>
          </Facts>
        </Panel>
        <Body title="What was sent" what="request’s body" text={sent} none="No body." />
        <Body
          title="What was answered"
          what="answer’s body"
          text={answer}
          none={request.status < 400 ? "What is merely read is not kept." : "No body."}
        />
        <p className="text-sm text-kumo-subtle">
          Tokens, keys, passwords and whatever looks like a card’s number read [redacted]. Requests are kept for seven
          days.
        </p>
      </div>
    </>
  );
}

interface BodyProps {
  title: string;
  /** What is copied. */
  what: string;
  text: string | null;
  /** What stands in place of none. */
  none: string;
}

function Body({ title, what, text, none }: BodyProps) {
  return (
    <Panel title={title} action={text !== null && <CopyButton text={pretty(text)} what={what} />}>
      {text === null ? (
        <p className="px-4 py-4 text-base text-kumo-subtle">{none}</p>
      ) : (
        <CodeBlock label={`${title}, as text`} className="max-h-[50vh] p-4 leading-relaxed">
          {pretty(text)}
        </CodeBlock>
      )}
    </Panel>
  );
}

/** What has been cut off is no JSON any more, and is shown as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
