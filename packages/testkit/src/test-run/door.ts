import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where tests, which run in other processes, ask the test run for what there is one of. */
export interface Door {
  readonly url: string
  close(): void
}

/** Answers every question alike, on the loopback; whoever answers does the work when first asked. */
export async function openDoor(answer: () => Promise<string>): Promise<Door> {
  const server = createServer((_question, response) => {
    answer().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The door keeps nobody waiting at the end of a run.
  server.unref()
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

export async function askAt(door: string): Promise<string> {
  const answer = await fetch(door)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
