import { plainName } from '../../../../platform/sheets/headers/header-names.ts';

/** In English, Portuguese, Spanish, German, and French, normalized. `false` occurs in columns such as `Enabled`. */
const leaverStatuses = new Set(
  `inactive terminated dismissed resigned retired left former deactivated disabled suspended archived false
   inativo inativa demitido demitida desligado desligada dispensado dispensada rescindido aposentado aposentada suspenso suspensa
   inactivo inactiva baja cesado cesada despedido despedida egresado egresada retirado retirada desvinculado desvinculada suspendido
   inaktiv ausgeschieden ausgetreten gekundigt deaktiviert
   inactif inactive parti partie sorti sortie licencie licenciee demissionnaire`.split(/\s+/),
);

export function isLeaverStatus(status: string): boolean {
  return leaverStatuses.has(plainName(status));
}

/** Values of current employees; values in neither list are unknown. */
const activeStatuses = new Set(
  `active employed current pending true onboarding hired enabled
   ativo ativa admitido admitida pendente trabalhando
   activo activa vigente alta pendiente
   aktiv beschaftigt
   actif active present presente en poste`.split(/\s+/),
);

export function isKnownStatus(status: string): boolean {
  return isLeaverStatus(status) || activeStatuses.has(plainName(status));
}
