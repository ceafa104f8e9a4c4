// Passkeys of the browser, as consoles take them: what WebAuthn writes in JSON, without what nobody reads.
import { CallFailure } from '../api/request.ts'

/** Whether this browser reads and writes the JSON of WebAuthn level 3; all current ones do. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** The browser's own window asks the visitor; what the passkey answers. */
export async function answerOf(question: PublicKeyCredentialRequestOptionsJSON) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(question)
  const credential = await given(navigator.credentials.get({ publicKey }))
  const { id, response } = credential.toJSON() as AuthenticationResponseJSON
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}

/** The same for a new passkey. */
export async function newPasskeyOf(plan: PublicKeyCredentialCreationOptionsJSON) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(plan)
  const credential = await given(navigator.credentials.create({ publicKey }))
  const { id, response } = credential.toJSON() as RegistrationResponseJSON
  const { clientDataJSON, attestationObject, transports } = response
  return { id, clientDataJSON, attestationObject, transports }
}

/** Browsers do not say whether somebody declined, waited or had no passkey; only that the device has one already. */
async function given(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await asked.catch((cause: unknown) => {
    const isKnown = cause instanceof DOMException && cause.name === 'InvalidStateError'
    throw new CallFailure({ kind: 'passkey', problem: isKnown ? 'known' : 'none' }, { cause })
  })
  if (!credential) throw new CallFailure({ kind: 'passkey', problem: 'none' })
  return credential as PublicKeyCredential
}
