import { Button } from '@mantine/core'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { useLeave } from './use-leave.ts'

/** The way out of a page without a menu. */
export function LeaveButton() {
  const { t } = useTranslation('credentials')
  const leave = useLeave()
  const [failure, setFailure] = useState<unknown>()
  return (
    <>
      {failure !== undefined && <ProblemNote error={failure} />}
      <Button
        variant="default"
        leftSection={<LogOut size={16} aria-hidden="true" />}
        onClick={() => void leave().catch(setFailure)}
      >
        {t('signOut')}
      </Button>
    </>
  )
}
