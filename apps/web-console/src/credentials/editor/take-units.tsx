import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ListPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { type MadeResource, readCurriculumData } from '../api/forms.ts'
import { listQuery, MOST_CHOICES } from '../api/lists.ts'
import type { Item } from '../api/types.ts'
import { useEditing, useValue } from './editing.tsx'
import classes from './editor.module.css'
import type { Variant } from './form-types.ts'
import { withUnits } from './units.ts'

const transcriptPaths: Partial<Record<MadeResource, string>> = {
  degrees: 'dadosPrivadosDiplomado.historicoEscolar',
  emissions: 'dadosPrivadosDiplomado.historicoEscolar',
  'academic-transcripts': 'historicoEscolar',
}

/** Takes the units of a concluded curriculum over into the transcript. */
export function TakeUnits({ resource, variant }: { resource: MadeResource; variant: Variant }) {
  const path = transcriptPaths[resource]
  return path === undefined ? null : <UnitsPanel path={`${variant.at}.${path}`} />
}

function UnitsPanel({ path }: { path: string }) {
  const { t } = useTranslation('credentials-editor')
  const { store } = useEditing()
  const instituteId = String(useValue('instituteId') ?? '')
  const search = { status: 'Concluded', instituteId, pageSize: MOST_CHOICES }
  const curriculums = useQuery(listQuery<Item>('curriculums', search)).data?.items ?? []
  const [chosen, setChosen] = useState('')
  const { run, busy } = useAction(take, (count) => t('units.taken', { count }))

  async function take(id: string): Promise<number> {
    const { data } = await readCurriculumData(id)
    const entries = store.value(`${path}.elementosHistorico`)
    const former = Array.isArray(entries) ? entries : []
    const all = withUnits(former, data)
    store.set(`${path}.elementosHistorico`, all)
    store.set(`${path}.codigoCurriculo`, data.codigoCurriculo)
    return all.length - former.length
  }

  return (
    <Panel title={t('units.title')} lead={t('units.lead')}>
      <div className={classes.adds}>
        <NativeSelect
          aria-label={t('units.curriculum')}
          data={[
            { value: '', label: t(curriculums.length === 0 ? 'units.none' : 'units.choose') },
            ...curriculums.map(({ id, code, course }) => ({ value: id, label: `${code} · ${course}` })),
          ]}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        <Button
          variant="default"
          loading={busy}
          disabled={chosen === ''}
          leftSection={<ListPlus size={16} aria-hidden="true" />}
          onClick={() => void run(chosen)}
        >
          {t('units.take')}
        </Button>
      </div>
    </Panel>
  )
}
