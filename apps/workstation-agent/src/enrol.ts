import { readUrl } from '@chancela/service-kernel/addresses'
import { SECOND } from '@chancela/service-kernel/clock'
import { CHANNEL, identityOf, newIdentitySecret, readEnrolmentCode } from '@chancela/session-server/channel'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { AgentProblem } from './agent-problem.ts'
import { AgentHome, type Enrolment } from './home.ts'
import { platform, version } from './version.ts'

const Enrolled = Type.Object({ workstationId: Type.String(), name: Type.String(), serverPublicKey: Type.String() })

/** Enrols this machine with a code of the console, and saves the enrolment in the agent's folder. */
export async function enrol(home: string, consoleUrl: string, text: string): Promise<Enrolment> {
  const code = readEnrolmentCode(text)
  if (!code) throw new AgentProblem('This is not an enrolment code: one has six groups of five characters.')
  const server = baseOf(consoleUrl)
  const secret = newIdentitySecret()
  const about = { publicKey: identityOf(secret).publicKey, platform, agentVersion: version }
  const answer = await post(`${server}/agents/enrol`, {
    ...about,
    channel: CHANNEL,
    codeKey: code.key,
    proof: code.prove(about),
  })
  // The code identifies its server: another server that answered has learned nothing, and is not trusted.
  if (!code.isOf(answer.serverPublicKey))
    throw new AgentProblem('Another server answered than the one that made the code: nothing was enrolled.')
  const { workstationId, name, serverPublicKey } = answer
  const enrolment: Enrolment = { server, serverPublicKey, workstationId, name, secret }
  new AgentHome(home).writeEnrolment(enrolment)
  return enrolment
}

function baseOf(text: string): string {
  const url = readUrl(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new AgentProblem('The address of the console must be an http or https URL.')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

const LIMITS = { connectTimeoutMs: 10 * SECOND, deadlineMs: 30 * SECOND, maxAnswerBytes: 65_536 }

async function post(url: string, body: object) {
  // Loaded on demand: an agent enrols once and then holds a socket for months.
  const { createHttpClient } = await import('@chancela/service-kernel/http-client')
  const { exchange, close } = createHttpClient(LIMITS)
  const { origin } = new URL(url)
  const headers = { 'content-type': 'application/json' }
  const answer = await exchange({ method: 'POST', url, headers, body: JSON.stringify(body) })
    .catch(({ message }: Error) => {
      throw new AgentProblem(`${origin} does not answer: ${message.replace(/\.$/, '')}.`)
    })
    .finally(close)
  if (answer.status === 401) throw new AgentProblem('The code is unknown, used or too old: ask for another.')
  const value = jsonIn(answer.body)
  if (answer.status < 200 || answer.status > 299 || !Value.Check(Enrolled, value))
    throw new AgentProblem(`${origin} answered with status ${answer.status}, not as a session server does.`)
  return value
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined // reported as an answer that no session server gives
  }
}
