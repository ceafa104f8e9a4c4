import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../shared/i18n/use-language.ts'
import { Dialog, DialogButtons } from '../../../shared/parts/dialog.tsx'
import { ProblemNote } from '../../../shared/parts/problem-note.tsx'
import { Queried } from '../../../shared/parts/queried.tsx'
import { CloudOutcomeNote } from '../../../shared/signing/cloud-outcome.tsx'
import { Note } from '../../../shared/signing/sign-failure.tsx'
import { SigningContext } from '../../../shared/signing/signing-page.ts'
import { signingQuery } from '../api/portal-calls.ts'
import type { Signing } from '../api/portal-types.ts'
import { approvePlain } from '../approve/approve-plain.ts'
import { Outcomes } from '../approve/outcomes.tsx'
import type { ListSearch } from '../lists/list-search.ts'
import { outcomesIn } from './outcomes-in.ts'
import { takeRest } from './rest-of-batch.ts'
import type { Outcome } from './signing-way.ts'

/** Tells somebody who comes back from a provider what became of each file; once, whatever is reloaded. */
export function CloudReturn({ search }: { search: ListSearch }) {
  const { t } = useTranslation('batch-portal')
  const { language } = useLanguage()
  const navigate = useNavigate()
  // As it was when the visitor arrived: the address says it once.
  const [{ signing, cloud }, setArrived] = useState<ListSearch>(search)
  useEffect(() => {
    if (search.signing !== undefined || search.cloud !== undefined)
      void navigate({ to: '/approvals', search: search.list ? { list: search.list } : {}, replace: true })
  }, [search, navigate])
  if (signing === undefined && cloud === undefined) return null
  const close = () => setArrived({})
  return (
    <Dialog title={t('approve.results')} onClose={close}>
      <SigningContext value={{ language, Problem: ProblemNote }}>
        {signing === undefined ? <Note>{t('sign.unmatched')}</Note> : <Ended id={signing} />}
      </SigningContext>
      <DialogButtons>
        <Button onClick={close}>{t('approve.close')}</Button>
      </DialogButtons>
    </Dialog>
  )
}

function Ended({ id }: { id: string }) {
  const { t } = useTranslation('batch-portal')
  return (
    <Queried query={useQuery(signingQuery(id))}>
      {(found) =>
        found.state === 'ended' ? <Told signing={found} /> : <p role="status">{t(`sign.${found.state}`)}</p>
      }
    </Queried>
  )
}

function Told({ signing }: { signing: Signing }) {
  const { t } = useTranslation('batch-portal')
  const queries = useQueryClient()
  const [rest, setRest] = useState<readonly Outcome[]>([])
  const isDone = signing.outcome === 'done'
  const { id } = signing
  useEffect(() => {
    const refresh = () => void queries.invalidateQueries({ queryKey: ['portal', 'list'] })
    const left = isDone ? takeRest(id) : []
    if (left.length === 0) return refresh()
    void approvePlain(left, undefined)
      .catch((why: unknown) => left.map((file) => ({ file, why })))
      .then(setRest)
      .then(refresh)
  }, [id, isDone, queries])
  const outcomes = [...outcomesIn(signing), ...rest]
  return (
    <>
      {signing.outcome === 'interrupted' && <Note>{t('sign.interrupted')}</Note>}
      {!isDone && signing.outcome !== 'interrupted' && <CloudOutcomeNote outcome={signing.outcome!} />}
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} />}
    </>
  )
}
