import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleX, Hourglass, type LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import { CloudOutcomeNote } from '../../shared/signing/cloud-outcome.tsx'
import { Note } from '../../shared/signing/sign-failure.tsx'
import { useOutcomeText } from '../../shared/signing/use-outcome-text.ts'
import { signingQuery } from '../api/signatures.ts'
import type { Signing } from '../api/types.ts'
import parts from '../parts/parts.module.css'
import { DocumentName } from './document-name.tsx'

type Row = Signing['documents'][number]

/** What became of the documents of a request; looks until nothing changes any more. */
export function SigningResult({ id, cloud }: { id: string; cloud: string | undefined }) {
  const { t } = useTranslation('credentials-signatures')
  const query = useQuery(signingQuery(id))
  const queries = useQueryClient()
  const isOver = query.data?.state === 'ended'
  useEffect(() => {
    // What was signed waits no more.
    if (isOver) void queries.invalidateQueries({ queryKey: ['signer/documents'] })
  }, [isOver, queries])
  return (
    <Panel title={t('result.title')}>
      <Queried query={query}>{(signing) => <Result signing={signing} cloud={cloud} />}</Queried>
    </Panel>
  )
}

function Result({ signing, cloud }: { signing: Signing; cloud: string | undefined }) {
  const { t } = useTranslation('credentials-signatures')
  const { state, outcome, documents } = signing
  const signed = documents.filter((one) => one.outcome === 'signed').length
  return (
    <>
      {/* The holder came back without a signature, and may try again. */}
      {state === 'waiting' && cloud && <CloudOutcomeNote outcome={cloud} />}
      {outcome !== null && outcome !== 'signed' && <Ended signing={signing} />}
      {outcome === 'signed' && <p role="status">{t('result.count', { signed, total: documents.length })}</p>}
      {state === 'signing' && <p role="status">{t('result.signing')}</p>}
      <DocumentTable documents={documents} isOver={state === 'ended' || state === 'waiting'} />
    </>
  )
}

function Ended({ signing: { way, outcome } }: { signing: Signing }) {
  const { t } = useTranslation('credentials-signatures')
  const outcomeText = useOutcomeText()
  if (outcome === 'interrupted') return <Note>{t('result.interrupted')}</Note>
  return way === 'cloud' ? <CloudOutcomeNote outcome={outcome!} /> : <Note>{outcomeText(outcome!)}</Note>
}

function DocumentTable({ documents, isOver }: { documents: readonly Row[]; isOver: boolean }) {
  const { t } = useTranslation('credentials-signatures')
  const columns: readonly Column<Row>[] = [
    { key: 'name', title: t('document'), isHeader: true, cell: (row) => <DocumentName document={row} /> },
    { key: 'outcome', title: t('result.column'), cell: (row) => <Outcome row={row} isOver={isOver} /> },
  ]
  return (
    <DataTable caption={t('result.title')} columns={columns} rows={documents} rowKey={({ documentId }) => documentId} />
  )
}

interface Look {
  icon: LucideIcon
  tone: Tone
  word: 'signed' | 'not-signed' | 'open'
}

const lookOf = (outcome: Row['outcome'], isOver: boolean): Look => {
  if (outcome === 'signed') return { icon: CircleCheck, tone: 'good', word: 'signed' }
  if (outcome !== null || isOver) return { icon: CircleX, tone: 'bad', word: 'not-signed' }
  return { icon: Hourglass, tone: 'busy', word: 'open' }
}

function Outcome({ row: { outcome, reason }, isOver }: { row: Row; isOver: boolean }) {
  const { t } = useTranslation('credentials-signatures')
  const outcomeText = useOutcomeText()
  const { word, ...look } = lookOf(outcome, isOver)
  return (
    <span className={parts.stack}>
      <Chip {...look}>{t(`result.state.${word}`)}</Chip>
      {outcome !== null && outcome !== 'signed' && <span className={parts.small}>{outcomeText(outcome)}</span>}
      {reason && <TechnicalDetail>{reason}</TechnicalDetail>}
    </span>
  )
}
