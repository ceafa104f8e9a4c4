import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import type { CloudOffer, Offer, TokenOffer } from '../../shared/signing/offers.ts'
import { SignWith } from '../../shared/signing/sign-with.tsx'
import { beginCloud, beginToken, cancelSigning, lookSigning, signerQuery } from '../api/signatures.ts'
import type { Signer } from '../api/types.ts'
import { CpfForm } from './cpf-form.tsx'
import { fileOffer, type NotSigned, type ToSign } from './file-offer.ts'
import classes from './signatures.module.css'

interface SignDialogProps {
  documents: readonly ToSign[]
  onClose: () => void
}

/** Signs documents with a certificate in a file, in the cloud or on a token. */
export function SignDialog({ documents, onClose }: SignDialogProps) {
  const { t } = useTranslation('credentials-signatures')
  const title = documents.length === 1 ? t('signOne') : t('signMany', { count: documents.length })
  return (
    <Dialog title={title} onClose={onClose}>
      <Queried query={useQuery(signerQuery)}>
        {(signer) => <Ways key={signer.cpf} signer={signer} documents={documents} onClose={onClose} />}
      </Queried>
    </Dialog>
  )
}

function Ways({ signer, documents, onClose }: SignDialogProps & { signer: Signer }) {
  const { t } = useTranslation('credentials-signatures')
  const { done } = useNotices()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [notSigned, setNotSigned] = useState<readonly NotSigned[]>([])
  const failures = useRef<readonly NotSigned[]>([])
  const begun = useRef<string>(undefined)
  const [offers] = useState(() => offersFor(signer, documents, begun, failures))
  const isElsewhere = signer.cloud || signer.token

  function signed() {
    void queries.invalidateQueries()
    if (failures.current.length > 0) return setNotSigned(failures.current)
    onClose()
    // What became of each document is told by the page of signatures.
    if (begun.current) void navigate({ to: '/signatures', search: { signing: begun.current } })
    else done(documents.length === 1 ? t('signedOne') : t('signedMany', { count: documents.length }))
  }

  if (notSigned.length > 0) return <NotSignedList failures={notSigned} />
  return (
    <>
      <SignWith offers={offers} wanted={{ cpf: signer.cpf, type: null }} onSigned={signed} />
      {isElsewhere && signer.cpf === null && <CpfForm lead={t('cpfForWays')} />}
    </>
  )
}

interface Kept<Value> {
  current: Value
}

/** In the order of what a person most likely has; without a CPF nobody knows whose certificate is asked for. */
function offersFor(
  { cpf, cloud, token }: Signer,
  documents: readonly ToSign[],
  begun: Kept<string | undefined>,
  failures: Kept<readonly NotSigned[]>,
): readonly Offer[] {
  const ids = documents.map(({ documentId }) => documentId)
  const file = fileOffer(documents, (found) => {
    failures.current = found
  })
  return [
    ...(cloud && cpf !== null ? [cloudOffer(ids)] : []),
    ...(token && cpf !== null ? [tokenOffer(ids, begun)] : []),
    file,
  ]
}

const cloudOffer = (ids: readonly string[]): CloudOffer => ({
  way: 'cloud',
  begin: async () => (await beginCloud(ids)).url,
  windowAddress: '/signatures',
})

const tokenOffer = (ids: readonly string[], begun: Kept<string | undefined>): TokenOffer => ({
  way: 'token',
  knowsHolder: true,
  async begin() {
    const answer = await beginToken(ids)
    begun.current = answer.id
    return answer
  },
  async look(id) {
    const { state, outcome } = await lookSigning(id)
    return state === 'completing' ? { state: 'ended', outcome } : { state, outcome }
  },
  cancel: cancelSigning,
})

function NotSignedList({ failures }: { failures: readonly NotSigned[] }) {
  const { t } = useTranslation('credentials-signatures')
  return (
    <>
      <p>{t('notSigned', { count: failures.length })}</p>
      <ul className={classes.failures}>
        {failures.map(({ documentId, title, error }) => (
          <li key={documentId}>
            <p>{title}</p>
            <ProblemNote error={error} />
          </li>
        ))}
      </ul>
    </>
  )
}
