import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Fingerprint } from 'lucide-react'
import { useEffect, useState } from 'react'
import { onProofAsked } from '../api/proof.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'

/** Somebody waits for a proof of who is signed in, and how they are told of it; undefined while nobody does. */
export function useProofAsked(): ((isProven: boolean) => void) | undefined {
  const [asked, setAsked] = useState<{ answer: (isProven: boolean) => void }>()
  useEffect(() => onProofAsked(() => new Promise((answer) => setAsked({ answer }))), [])
  if (!asked) return undefined
  return (isProven) => {
    setAsked(undefined)
    asked.answer(isProven)
  }
}

export interface ProofDialogProps {
  texts: {
    title: string
    text: string
    confirm: string
    password: string
    showPassword: string
    code: string
    codeHint: string
    passkey?: string
  }
  /** Whether the account has an authenticator app. */
  withCode: boolean
  onProof: (proof: { password: string; code?: string }) => Promise<unknown>
  /** Where a passkey may show it, too. */
  onPasskey?: () => Promise<void>
  onClose: (isProven: boolean) => void
}

/** Asks for the password and the code; a wrong one is told and may be corrected. */
export function ProofDialog({ texts, withCode, onProof, onPasskey, onClose }: ProofDialogProps) {
  const [typed, setTyped] = useState({ password: '', code: '' })

  async function submit() {
    const { password, code } = typed
    try {
      await onProof({ password, ...(withCode && { code: code.replaceAll(/\s/g, '') }) })
    } catch (failure) {
      // A code can be used only once.
      setTyped({ password, code: '' })
      throw failure
    }
    onClose(true)
  }

  return (
    // After a proof, closing is a second answer, which nobody waits for.
    <FormDialog title={texts.title} confirm={texts.confirm} onSubmit={submit} onClose={() => onClose(false)}>
      <p>{texts.text}</p>
      {onPasskey && <PasskeyButton text={texts.passkey!} onPasskey={onPasskey} onProven={() => onClose(true)} />}
      <PasswordInput
        label={texts.password}
        autoComplete="current-password"
        maxLength={200}
        required
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
        value={typed.password}
        onChange={({ currentTarget }) => setTyped({ ...typed, password: currentTarget.value })}
      />
      {withCode && (
        <TextInput
          label={texts.code}
          description={texts.codeHint}
          autoComplete="one-time-code"
          maxLength={40}
          required
          value={typed.code}
          onChange={({ currentTarget }) => setTyped({ ...typed, code: currentTarget.value })}
        />
      )}
    </FormDialog>
  )
}

interface PasskeyButtonProps {
  text: string
  onPasskey: () => Promise<void>
  onProven: () => void
}

function PasskeyButton({ text, onPasskey, onProven }: PasskeyButtonProps) {
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })

  async function ask() {
    setState({ busy: true })
    try {
      await onPasskey()
      onProven()
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return (
    <>
      <Button
        variant="default"
        loading={state.busy}
        leftSection={<Fingerprint size={16} aria-hidden="true" />}
        onClick={() => void ask()}
      >
        {text}
      </Button>
      {state.failure !== undefined && <ProblemNote error={state.failure} />}
    </>
  )
}
