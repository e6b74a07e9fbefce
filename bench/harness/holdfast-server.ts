import { type ChildServer, startChildServer } from './child-server.ts'

/** Starts the whole server, on an embedded store of its own unless its environment names another. */
export const startHoldfast = (environment: Record<string, string> = {}): Promise<ChildServer> =>
  startChildServer(new URL('../servers/holdfast.ts', import.meta.url), { environment })
