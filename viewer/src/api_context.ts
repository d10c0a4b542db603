/** The open session, for every screen: the client with its key, and the way out. */
import { createContext, useContext } from "react";
import type { Client } from "./api/client.ts";

export interface Session {
  api: Client;
  signOut: () => void;
}

export const ApiContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(ApiContext);
  if (!session) throw new Error("no session: the screen is outside of the app");
  return session;
}
