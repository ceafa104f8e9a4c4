import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, PenLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Paging } from '../../shared/parts/paging.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { Note } from '../../shared/signing/sign-failure.tsx'
import { signerQuery, waitingQuery } from '../api/signatures.ts'
import type { Page, Signer, WaitingDocument } from '../api/types.ts'
import { CpfForm } from './cpf-form.tsx'
import { DocumentName } from './document-name.tsx'
import { SignDialog } from './sign-dialog.tsx'
import classes from './signatures.module.css'
import { SigningResult } from './signing-result.tsx'

export interface SignaturesSearch {
  /** A request whose documents are shown. */
  readonly signing?: string
  /** How the holder came back from the hub. */
  readonly cloud?: string
  readonly page?: number
}

export function signaturesSearchFrom({ signing, cloud, page }: Record<string, unknown>): SignaturesSearch {
  const at = Number(page)
  return {
    ...(typeof signing === 'string' && { signing }),
    ...(typeof cloud === 'string' && { cloud }),
    ...(Number.isInteger(at) && at > 1 && { page: at }),
  }
}

/** What waits for the signature of the person, signed one by one or all at once. */
export function SignaturesPage() {
  const { t } = useTranslation('credentials-signatures')
  const { signing, cloud, page }: SignaturesSearch = useSearch({ strict: false })
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      {cloud === 'elsewhere' && <Note>{t('elsewhere')}</Note>}
      {signing !== undefined && <SigningResult key={signing} id={signing} cloud={cloud} />}
      <Queried query={useQuery(signerQuery)}>{(signer) => <Identity signer={signer} />}</Queried>
      <Queried query={useQuery(waitingQuery(page))}>{(found) => <Waiting page={found} />}</Queried>
    </>
  )
}

/** As whom the person signs. */
function Identity({ signer: { cpf } }: { signer: Signer }) {
  const { t } = useTranslation(['credentials-signatures', 'credentials'])
  const [changes, setChanges] = useState(false)
  if (cpf === null || changes)
    return (
      <Panel title={t('whoTitle')}>
        <CpfForm lead={t('who')} onSaved={() => setChanges(false)} />
      </Panel>
    )
  return (
    <div className={classes.bar}>
      <p>{t('signsAs', { cpf: formatTaxId(cpf) })}</p>
      <Button variant="subtle" onClick={() => setChanges(true)}>
        {t('credentials:change')}
      </Button>
    </div>
  )
}

function Waiting({ page }: { page: Page<WaitingDocument> }) {
  const { t } = useTranslation('credentials-signatures')
  // Signed ones leave the list; the dialog stays until it has told what became of them.
  const [signing, setSigning] = useState<readonly WaitingDocument[]>()
  return (
    <>
      {page.items.length === 0 ? (
        <PageState icon={CircleCheck} title={t('empty')}>
          {t('emptyText')}
        </PageState>
      ) : (
        <Choice page={page} onSign={setSigning} />
      )}
      {signing && <SignDialog documents={signing} onClose={() => setSigning(undefined)} />}
    </>
  )
}

interface ChoiceProps {
  page: Page<WaitingDocument>
  onSign: (documents: readonly WaitingDocument[]) => void
}

function Choice({ page, onSign }: ChoiceProps) {
  const { t } = useTranslation(['credentials-signatures', 'credentials'])
  const { dateAndMinute } = useFormats()
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const { items } = page
  const documents = items.filter(({ documentId }) => ids.has(documentId))
  const chosen = new Set(documents.map(({ documentId }) => documentId))
  const columns: readonly Column<WaitingDocument>[] = [
    ticks(items, chosen, setIds, { all: t('all'), one: (title) => t('one', { title }) }),
    { key: 'name', title: t('document'), isHeader: true, cell: (row) => <DocumentName document={row} /> },
    { key: 'institute', title: t('credentials:institute'), cell: ({ institute }) => institute },
    { key: 'who', title: t('awaits'), cell: ({ byName }) => t(byName ? 'you' : 'anybody') },
    { key: 'since', title: t('since'), cell: ({ creationDate }) => dateAndMinute(creationDate) },
  ]
  return (
    <>
      <div className={classes.bar}>
        <p role="status">{t('chosen', { count: documents.length })}</p>
        <Button
          disabled={documents.length === 0}
          leftSection={<PenLine size={16} aria-hidden="true" />}
          onClick={() => onSign(documents)}
        >
          {t('sign')}
        </Button>
      </div>
      <DataTable
        caption={t('title')}
        columns={columns}
        rows={items}
        rowKey={({ documentId }) => documentId}
        isSelected={({ documentId }) => chosen.has(documentId)}
      />
      <Pages page={page} />
    </>
  )
}

/** The column in which documents are chosen. */
function ticks(
  items: readonly WaitingDocument[],
  chosen: ReadonlySet<string>,
  onChange: (chosen: ReadonlySet<string>) => void,
  words: { all: string; one: (title: string) => string },
): Column<WaitingDocument> {
  const isAll = chosen.size === items.length
  return {
    key: 'tick',
    title: words.all,
    quiet: true,
    head: (
      <Checkbox
        size="xs"
        label={words.all}
        classNames={{ label: classes.tickAll! }}
        checked={isAll}
        indeterminate={chosen.size > 0 && !isAll}
        onChange={() => onChange(new Set(isAll ? [] : items.map(({ documentId }) => documentId)))}
      />
    ),
    cell: ({ documentId, title }) => (
      <Checkbox
        size="xs"
        aria-label={words.one(title)}
        checked={chosen.has(documentId)}
        onChange={() => onChange(toggled(chosen, documentId))}
      />
    ),
  }
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

function Pages({ page: { page, pageSize, totalCount, items } }: { page: Page<WaitingDocument> }) {
  const { t } = useTranslation('credentials')
  const { count } = useFormats()
  const navigate = useNavigate()
  const to = (page - 1) * pageSize + items.length
  const total = totalCount ?? to
  if (page === 1 && to >= total) return null
  const turn = (next: number) => () => void navigate({ to: '/signatures', search: next > 1 ? { page: next } : {} })
  return (
    <Paging onPrevious={page > 1 ? turn(page - 1) : undefined} onNext={to < total ? turn(page + 1) : undefined}>
      {t('rangeOf', { from: count((page - 1) * pageSize + 1), to: count(to), total: count(total) })}
    </Paging>
  )
}
