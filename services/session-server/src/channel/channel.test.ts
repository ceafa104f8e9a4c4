import { describe, expect, test } from 'vitest'
import { isEnrolmentProven, newEnrolmentCode, readEnrolmentCode } from './enrolment-code.ts'
import { answerHello, beginHandshake } from './handshake.ts'
import { identityOf, newIdentitySecret } from './identity.ts'
import { newPairingCode, readPairingCode } from './pairing-code.ts'
import { ChannelProblem } from './problem.ts'

const newIdentity = () => identityOf(newIdentitySecret())
const about = { workstationId: 'w-1', agentVersion: '1', platform: 'test' }

test('a pairing code is two groups that people can type, however they do', () => {
  const code = newPairingCode()
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(readPairingCode(` ${code.toLowerCase().replace('-', '')} `)).toBe(code)
  expect(readPairingCode('oil1-0000')).toBe('0111-0000')
  for (const wrong of ['', code.slice(1), `${code}0`, 'UUUU-UUUU']) expect(readPairingCode(wrong)).toBeUndefined()
})

describe('an enrolment code', () => {
  const server = newIdentity()
  const { text, key } = newEnrolmentCode(server.publicKey)
  const enrolment = { publicKey: newIdentity().publicKey, platform: 'test', agentVersion: '1' }

  test('is six groups that people can read out, and is read however they type it', () => {
    expect(text).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){5}[0-9A-HJKMNP-TV-Z]{5}$/)
    const typed = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect(readEnrolmentCode(typed)?.key).toBe(key)
    for (const wrong of ['', text.slice(1), `${text}0`, text.replace(/.$/, 'U')])
      expect(readEnrolmentCode(wrong)).toBeUndefined()
  })

  test('names the server that made it, and no other', () => {
    const code = readEnrolmentCode(text)!
    expect([code.isOf(server.publicKey), code.isOf(newIdentity().publicKey), code.isOf('x')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('proves one enrolment at one server', () => {
    const proof = { codeKey: key, proof: readEnrolmentCode(text)!.prove(enrolment) }
    expect(isEnrolmentProven(server.publicKey, enrolment, proof)).toBe(true)
    expect(isEnrolmentProven(newIdentity().publicKey, enrolment, proof)).toBe(false)
    const other = { ...enrolment, publicKey: newIdentity().publicKey }
    expect(isEnrolmentProven(server.publicKey, other, proof)).toBe(false)
    expect(isEnrolmentProven(server.publicKey, enrolment, { ...proof, proof: 'AA' })).toBe(false)
  })

  test('differs each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newEnrolmentCode(server.publicKey).key)).size).toBe(100)
  })
})

describe('a handshake', () => {
  const [server, agent] = [newIdentity(), newIdentity()]
  function shaken() {
    const handshake = beginHandshake(agent, server.publicKey, about)
    const hello = answerHello(server, handshake.hello)
    const { proof, frames: atAgent } = handshake.answer(hello.challenge)
    const { proven, frames: atServer } = hello.finish(proof)
    return { handshake, hello, proof, proven, atAgent, atServer }
  }
  const text = (content: Buffer) => content.toString('utf8')

  test('lets both sides read each other, in both directions and in order', () => {
    const { proven, atAgent, atServer, hello } = shaken()
    expect([proven, hello.about]).toEqual([true, { ...about, publicKey: agent.publicKey }])
    for (const word of ['um', 'dois', 'três']) {
      expect(text(atServer.open(atAgent.seal(Buffer.from(word))))).toBe(word)
      expect(text(atAgent.open(atServer.seal(Buffer.from(word))))).toBe(word)
    }
  })

  test('a frame is opened once, in its place, on its side, on its connection, and unchanged', () => {
    const wrong: ((pair: ReturnType<typeof shaken>) => Buffer)[] = [
      ({ atAgent, atServer }) => {
        const frame = atAgent.seal(Buffer.from('x'))
        atServer.open(frame)
        return frame
      },
      ({ atAgent }) => {
        atAgent.seal(Buffer.from('x'))
        return atAgent.seal(Buffer.from('y'))
      },
      ({ atServer }) => atServer.seal(Buffer.from('x')),
      () => shaken().atAgent.seal(Buffer.from('x')),
      ({ atAgent }) => {
        const frame = atAgent.seal(Buffer.from('x'))
        frame[0]! ^= 1
        return frame
      },
      ({ atAgent }) => atAgent.seal(Buffer.from('x')).subarray(0, 20),
      () => Buffer.alloc(0),
    ]
    for (const make of wrong) {
      const pair = shaken()
      const frame = make(pair)
      expect(() => pair.atServer.open(frame)).toThrow(ChannelProblem)
      // After the failure no frame opens, not even a valid one.
      expect(() => pair.atServer.open(pair.atAgent.seal(Buffer.from('z')))).toThrow(ChannelProblem)
    }
  })

  test('the agent does not answer another server, nor a challenge of another handshake', () => {
    const handshake = beginHandshake(agent, server.publicKey, about)
    expect(() => handshake.answer(answerHello(newIdentity(), handshake.hello).challenge)).toThrow('enrolled at')
    expect(() => handshake.answer(shaken().hello.challenge)).toThrow('enrolled at')
  })

  test('the server does not take a proof of another handshake or of another agent', () => {
    const fresh = answerHello(server, beginHandshake(agent, server.publicKey, about).hello)
    expect(fresh.finish(shaken().proof).proven).toBe(false)
    const { publicKey } = agent
    const liar = beginHandshake({ ...newIdentity(), publicKey }, server.publicKey, about)
    const hello = answerHello(server, liar.hello)
    expect(hello.finish(liar.answer(hello.challenge).proof).proven).toBe(false)
  })

  test('what is malformed or too long is a problem of the channel, not of the process', () => {
    for (const hello of ['', '{}', 'null', 'x'.repeat(3_000), JSON.stringify({ version: 2 })])
      expect(() => answerHello(server, hello)).toThrow(ChannelProblem)
    const { hello } = beginHandshake(agent, server.publicKey, about)
    const zero = JSON.stringify({ ...JSON.parse(hello), ephemeral: 'A'.repeat(43) })
    expect(() => answerHello(server, zero)).toThrow('ephemeral')
  })
})
