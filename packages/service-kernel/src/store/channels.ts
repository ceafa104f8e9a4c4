/** Listeners by channel in this process. */
export class Channels {
  readonly #waiting = new Map<string, Set<() => void>>()

  add(channel: string, wake: () => void): () => void {
    const wakers = this.#waiting.get(channel) ?? new Set()
    this.#waiting.set(channel, wakers.add(wake))
    return () => {
      wakers.delete(wake)
      if (wakers.size === 0 && this.#waiting.get(channel) === wakers) this.#waiting.delete(channel)
    }
  }

  wake(channel: string): void {
    for (const wake of [...(this.#waiting.get(channel) ?? [])]) wake()
  }

  wakeAll(): void {
    for (const channel of [...this.#waiting.keys()]) this.wake(channel)
  }
}
