/** What lists of other systems say of people who work there no longer. */
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';

/** In English, Portuguese, Spanish, German and French, in plain form. `false` stands in columns such as `Enabled`. */
const left = new Set(
  `inactive terminated dismissed resigned retired left former deactivated disabled suspended archived false
   inativo inativa demitido demitida desligado desligada dispensado dispensada rescindido aposentado aposentada suspenso suspensa
   inactivo inactiva baja cesado cesada despedido despedida egresado egresada retirado retirada desvinculado desvinculada suspendido
   inaktiv ausgeschieden ausgetreten gekundigt deaktiviert
   inactif inactive parti partie sorti sortie licencie licenciee demissionnaire`.split(/\s+/),
);

export function hasLeftBy(status: string): boolean {
  return left.has(plainName(status));
}

/** What is neither these nor one of the words for somebody who works there. */
const there = new Set(
  `active employed current pending true onboarding hired enabled
   ativo ativa admitido admitida pendente trabalhando
   activo activa vigente alta pendiente
   aktiv beschaftigt
   actif active present presente en poste`.split(/\s+/),
);

export function isKnownStatus(status: string): boolean {
  return hasLeftBy(status) || there.has(plainName(status));
}
