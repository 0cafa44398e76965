<?php
// The short trip with openapi-generator: one class per tag, one method per operation.
declare(strict_types=1);

require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/client/lib/' . str_replace(['Collaborators\\', '\\'], ['', '/'], $class) . '.php';
    if (str_starts_with($class, 'Collaborators\\') && is_file($file)) {
        require $file;
    }
});

use Collaborators\Api\CollaboratorsApi;
use Collaborators\Api\DocumentsApi;
use Collaborators\ApiException;
use Collaborators\Configuration;
use Collaborators\Model\CollaboratorCreate;

$company = getenv('COMPANY_ID');
$runId = getenv('RUN_ID');
$configuration = Configuration::getDefaultConfiguration()->setHost(getenv('BASE_URL'))
    ->setAccessToken(getenv('ACCESS_TOKEN'))
    ->setBooleanFormatForQueryString(Configuration::BOOLEAN_FORMAT_STRING); // otherwise false is sent as 0
$collaborators = new CollaboratorsApi(null, $configuration);

$person = fn(int $number) => new CollaboratorCreate([
    'name' => "Traveller $number $runId",
    'email' => "traveller-$number-$runId@verdelog.example",
    'position' => 'Driver',
    'department' => 'Fleet',
]);

$added = array_map(fn($number) => $collaborators->createCollaborator($company, $person($number)), [1, 2, 3]);
printf("created: %d collaborators, %s\n", count($added), $added[0]->getStatus());

$pages = 0;
$listed = [];
$cursor = null;
do {
    $page = $collaborators->listCollaborators(x_company_id: $company, search: $runId, limit: 2, cursor: $cursor);
    array_push($listed, ...array_map(fn($item) => $item->getId(), $page->getData()));
    $cursor = $page->getPagination()->getNextCursor();
    $pages++;
} while ($cursor !== null);
if ($listed !== array_map(fn($one) => $one->getId(), $added)) {
    throw new Exception('not everyone is listed');
}
printf("listed: %d collaborators on %d pages\n", count($listed), $pages);

$path = sys_get_temp_dir() . "/$runId/contract.pdf";
mkdir(dirname($path));
file_put_contents($path, "%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n");
$document = (new DocumentsApi(null, $configuration))
    ->uploadDocument($company, $added[0]->getId(), new SplFileObject($path), 'contract');
unlink($path);
rmdir(dirname($path));
printf("uploaded: %s, %s, %d bytes\n", $document->getName(), $document->getType(), $document->getSize());

try {
    $collaborators->createCollaborator($company, $person(1));
    throw new Exception('a duplicate email address was accepted');
} catch (ApiException $rejected) {
    $body = json_decode($rejected->getResponseBody());
    printf("rejected: %s, email %s\n", $body->error, $body->details->email[0]->code);
}
