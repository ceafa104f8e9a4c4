import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'

/** What a process has to do. */
export interface AgentPlan {
  readonly home: string
}

interface Message {
  readonly said?: string
  readonly page?: string
}

/** An agent in a process of its own, whose holder types the PIN wherever it is asked for. Nobody else touches it. */
export async function startAgentProcess(home: string, pin: string) {
  // From the source: the agent reads its version from the manifest of its package.
  const execArgv = ['--conditions=chancela-source', '--import', 'tsx']
  const program = fileURLToPath(new URL('./agent-process.ts', import.meta.url))
  const child = fork(program, [], { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  const said: string[] = []
  let pages = 0
  child.on('message', ({ said: sentence, page }: Message) => {
    if (sentence !== undefined) said.push(sentence)
    if (page === undefined) return
    pages++
    void typeAt(page, pin)
  })
  const plan: AgentPlan = { home }
  child.send(plan)
  const connections = () => said.filter((sentence) => sentence.startsWith('Connected as')).length
  return {
    said,
    /** Pages the holder has answered. */
    pages: () => pages,
    connections,
    /** Resolves when it has connected once more than that; fails when it has ended. */
    untilConnected: (after: number) =>
      vi.waitUntil(
        () => {
          if (child.exitCode !== null || child.signalCode !== null)
            throw new Error(`The agent has ended: ${said.slice(-5).join(' ')}`)
          return connections() > after
        },
        { interval: 20 },
      ),
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    tokenMoved: (module: string) => void child.send({ moved: module }),
  }
}

async function typeAt(page: string, pin: string): Promise<void> {
  const { url } = await fetch(page)
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'continue', pin }) })
}
