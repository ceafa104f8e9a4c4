// The channel between the session server and the agents at holders' machines: who each side is, how a connection
// begins, how frames are sealed, and what is said in them. It knows no socket: both sides bring their own.
//
//   const handshake = beginHandshake(identityOf(secret), serverPublicKey, about)
//   const { proof, frames } = handshake.answer(challenge)
//   socket.send(frames.seal(writeMessage({ type: 'certificates', … })))
export {
  type Enrolment,
  type EnrolmentCode,
  isEnrolmentProven,
  newEnrolmentCode,
  readEnrolmentCode,
} from './enrolment-code.ts'
export { type AgentHello, answerHello, beginHandshake, MAX_HANDSHAKE_TEXT } from './handshake.ts'
export { type Identity, identityOf, keyBytes, newIdentitySecret } from './identity.ts'
export {
  type AgentMessage,
  agentMessages,
  MAX_CERTIFICATES,
  MAX_FRAME_BYTES,
  readMessage,
  type ServerMessage,
  serverMessages,
  writeMessage,
} from './messages.ts'
export { newPairingCode, readPairingCode } from './pairing-code.ts'
export { ChannelProblem } from './problem.ts'
export type { SealedFrames } from './sealed-frames.ts'
export { testDigest } from './test-digest.ts'
