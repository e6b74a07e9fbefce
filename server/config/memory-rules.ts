const MiB = 1024 ** 2

/** The memory that a process may use at most: all of the machine, unless a container or service has a limit. */
export const usableMemory = ({ constrained, total }: { constrained: number; total: number }): number =>
  constrained > 0 ? Math.min(constrained, total) : total

/**
 * How many bytes of large request bodies a process takes at a time if nobody says otherwise. A body needs up to four
 * times its size while it is read, decoded and stored, so this leaves half of the memory for everything else.
 */
export const defaultBufferedBytes = (memory: number, processes: number): number =>
  Math.min(512, Math.max(32, Math.floor(memory / processes / 8 / MiB))) * MiB
