// The channel between the session server and the agents at holders' machines: who each side is, TLS 1.3 between them
// inside a WebSocket, and what is said in it.
export { CHANNEL } from '../contract/agent-channel.ts'
export {
  type Enrolment,
  type EnrolmentCode,
  isEnrolmentProven,
  newEnrolmentCode,
  readEnrolmentCode,
} from './enrolment-code.ts'
export { type Identity, identityOf, keyBytes, newIdentitySecret } from './identity.ts'
export {
  type AgentMessage,
  agentMessages,
  type ChannelRefusal,
  MAX_CERTIFICATES,
  readMessage,
  type ServerMessage,
  serverMessages,
  writeMessage,
} from './messages.ts'
export { type OwnSide, ownSideOf } from './own-side.ts'
export { newPairingCode, readPairingCode } from './pairing-code.ts'
export { ChannelProblem } from './problem.ts'
export { acceptChannel, dialChannel, type SecureChannel } from './secure-channel.ts'
export { testDigest } from './test-digest.ts'
export { MAX_PIECE_BYTES } from './web-socket-bytes.ts'
