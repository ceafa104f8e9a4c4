import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileKey2, Import } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterForm } from '../../console/parts/filter-form.tsx'
import { May } from '../../console/parts/may.tsx'
import { MoreButton } from '../../console/parts/more-button.tsx'
import { Nothing } from '../../console/parts/nothing.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { type CertificateFilters, certificatesQuery } from '../api/certificates.ts'
import { certificateStatuses, custodies } from '../api/types.ts'
import { CpfFilter } from '../parts/cpf-filter.tsx'
import { CertificateDetails } from './certificate-details.tsx'
import { certificateFiltersFrom } from './certificate-filters.ts'
import { CertificatesTable } from './certificates-table.tsx'
import { PinDialog } from './pin-dialog.tsx'
import { ImportDialog, RemoveDialog, ReplaceDialog } from './vault-dialogs.tsx'

/** The dialog that is open. */
type Open = { kind: 'import' } | { kind: 'details' | 'replace' | 'remove' | 'pin'; id: string }

/** Certificates by CPF, in the vault, at workstations and on the server's own tokens. */
export function CertificatesPage() {
  const { t } = useTranslation('sessions-certificates')
  const filters = useSearch({ from: '/shell/certificates' })
  const query = useInfiniteQuery(certificatesQuery(filters))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const certificates = query.data?.pages.flatMap(({ items }) => items) ?? []
  const chosen = open && open.kind !== 'import' ? certificates.find(({ id }) => id === open.id) : undefined
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <May right="certificates.manage">
          <Button leftSection={<Import size={16} aria-hidden="true" />} onClick={() => setOpen({ kind: 'import' })}>
            {t('import')}
          </Button>
        </May>
      </PageHead>
      <Filters filters={filters} />
      <Queried query={query}>
        {() =>
          certificates.length === 0 ? (
            <Nothing
              icon={FileKey2}
              title={t('empty')}
              text={t('emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <CertificatesTable certificates={certificates} onShow={(id) => setOpen({ kind: 'details', id })} />
          )
        }
      </Queried>
      <MoreButton query={query} />
      {open?.kind === 'import' && <ImportDialog onClose={close} />}
      {open?.kind === 'details' && chosen && (
        <CertificateDetails certificate={chosen} onOpen={(kind) => setOpen({ kind, id: chosen.id })} onClose={close} />
      )}
      {open?.kind === 'replace' && chosen && <ReplaceDialog certificate={chosen} onClose={close} />}
      {open?.kind === 'pin' && chosen && <PinDialog certificate={chosen} onClose={close} />}
      {open?.kind === 'remove' && chosen && <RemoveDialog certificate={chosen} onClose={close} />}
    </>
  )
}

function Filters({ filters }: { filters: CertificateFilters }) {
  const { t } = useTranslation(['sessions-certificates', 'sessions', 'console'])
  const navigate = useNavigate()
  const any = { value: '', label: t('console:any') }
  return (
    <FilterForm
      label={t('filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/certificates', search: certificateFiltersFrom(typed) })}
    >
      <CpfFilter cpf={filters.cpf} />
      <TextInput name="q" type="search" maxLength={200} label={t('q')} defaultValue={filters.q ?? ''} />
      <NativeSelect
        name="status"
        label={t('status')}
        defaultValue={filters.status ?? ''}
        data={[any, ...certificateStatuses.map((value) => ({ value, label: t(`sessions:verdict.${value}`) }))]}
      />
      <NativeSelect
        name="custody"
        label={t('custody')}
        defaultValue={filters.custody ?? ''}
        data={[any, ...custodies.map((value) => ({ value, label: t(`sessions:custody.${value}`) }))]}
      />
    </FilterForm>
  )
}
