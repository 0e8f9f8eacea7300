import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "@/components/shell/may";
import { useDebouncedText } from "@/components/ui/list/use-debounced-text";
import { type SearchHit, searchEndpoints } from "@/lib/resources/search/contract";
import { searchQueryOptions } from "@/lib/resources/search/queries";

const minLength = 2;
const maxLength = 200;
const pauseMs = 150;

interface Search {
  typed: string;
  type: (text: string) => void;
  /** Searches without waiting for a pause. */
  searchFor: (text: string) => void;
  /** While the results of the text are on their way, those of the text before. */
  hits: SearchHit[];
  isPending: boolean;
  error: Error | null;
}

/** Searches as the user types. */
export function useSearch(): Search {
  const [wanted, setWanted] = useState("");
  const [typed, type] = useDebouncedText(wanted, setWanted, pauseMs);
  const may = useMay()(searchEndpoints.search);
  const isWanted = (text: string): boolean => may && text.length >= minLength && text.length <= maxLength;
  const { data, error, isSuccess, isPlaceholderData } = useQuery({
    ...searchQueryOptions(wanted),
    enabled: isWanted(wanted),
    placeholderData: keepPreviousData,
  });
  const text = typed.trim();
  const searches = isWanted(text);
  const isSettled = wanted === text && (error !== null || (isSuccess && !isPlaceholderData));
  return {
    typed,
    type,
    searchFor: (text) => {
      type(text);
      setWanted(text.trim());
    },
    hits: searches ? (data?.rows ?? none) : none,
    isPending: searches && !isSettled,
    error: searches && wanted === text ? error : null,
  };
}

const none: SearchHit[] = [];
