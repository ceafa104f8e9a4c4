import { createSessionClient, isSessionError } from '@chancela/client/session-server'

const client = createSessionClient({
  baseUrl: process.env.SESSION_SERVER_URL ?? 'http://localhost:8081',
  apiKey: process.env.SESSION_SERVER_KEY ?? '',
})

/** What to tell a person whose PIN was not accepted. */
async function tryPin(cpf: string, pin: string): Promise<string> {
  try {
    await client.openSession({ cpf, pin })
    return 'welcome'
  } catch (error) {
    // Never in a loop: each wrong PIN counts, whoever sends it, and some more lock the CPF.
    if (isSessionError(error, 'INVALID_PIN')) return 'wrong PIN: ask the person, not the server'
    // Locked. More attempts make it longer, even with the right PIN.
    if (isSessionError(error, 'TOO_MANY_PIN_ATTEMPTS')) return 'locked: come back in a quarter of an hour'
    // Nobody compared the PIN: the holder did not answer at the workstation, or no workstation is there.
    if (isSessionError(error, 'PIN_NOT_AVAILABLE', 'WORKSTATION_OFFLINE')) return 'the holder is not there'
    if (isSessionError(error)) return `${error.code}; the server’s log has it as ${error.correlationId}`
    throw error
  }
}

// What a person may type who has forgotten the PIN.
for (const pin of ['1234', '4321', '1111', '2222', '1212', '2121']) console.log(await tryPin('52998224725', pin))
