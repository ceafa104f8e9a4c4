import { Eye, EyeOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../icon-button.tsx'

/** Shows or hides the secret it stands beside. */
export function RevealButton(props: { shown: boolean; onChange: (shown: boolean) => void; what: string }) {
  const { t } = useTranslation()
  const { shown, onChange, what } = props
  const label = t(shown ? 'secret.hide' : 'secret.show', { what })
  return <IconButton icon={shown ? EyeOff : Eye} label={label} onClick={() => onChange(!shown)} />
}
