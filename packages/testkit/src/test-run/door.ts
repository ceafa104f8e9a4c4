import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where tests, which run in other processes, request shared resources from the test run. */
export interface Door {
  readonly url: string
  close(): void
}

/** Answers every request alike, on the loopback; `answer` does its work at the first request. */
export async function openDoor(answer: () => Promise<string>): Promise<Door> {
  const server = createServer((_question, response) => {
    answer().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Must not keep the process alive at the end of a run.
  server.unref()
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

export async function askAt(door: string): Promise<string> {
  const answer = await fetch(door)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
