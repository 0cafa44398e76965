// The short trip with openapi-generator: one class per tag, one function per operation.
import com.example.collaborators.apis.CollaboratorsApi
import com.example.collaborators.apis.DocumentsApi
import com.example.collaborators.infrastructure.ApiClient
import com.example.collaborators.infrastructure.ClientError
import com.example.collaborators.infrastructure.ClientException
import com.example.collaborators.infrastructure.Serializer
import com.example.collaborators.models.BadRequestError
import com.example.collaborators.models.CollaboratorCreate
import com.example.collaborators.models.DocumentType
import java.nio.file.Files

private fun setting(name: String) = System.getenv(name) ?: error("$name is not set")

private val runId = setting("RUN_ID")
private val company = setting("COMPANY_ID")

private fun person(number: Int) =
  CollaboratorCreate(
    name = "Traveller $number $runId",
    email = "traveller-$number-$runId@verdelog.example",
    position = "Driver",
    department = "Fleet",
  )

fun main() {
  ApiClient.accessToken = setting("ACCESS_TOKEN")
  val collaborators = CollaboratorsApi(setting("BASE_URL"))

  val added = (1..3).map { collaborators.createCollaborator(company, person(it)) }
  println("created: ${added.size} collaborators, ${added.first().status.value}")

  var pages = 0
  val listed = mutableListOf<String>()
  var cursor: String? = null
  do {
    val page = collaborators.listCollaborators(company, search = runId, limit = 2, cursor = cursor)
    listed += page.`data`.map { it.id }
    cursor = checkNotNull(page.pagination).nextCursor
    pages++
  } while (cursor != null)
  check(listed == added.map { it.id })
  println("listed: ${listed.size} collaborators on $pages pages")

  val file = Files.createTempDirectory("trip").resolve("contract.pdf").toFile()
  file.writeText("%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n")
  val document =
    DocumentsApi(setting("BASE_URL")).uploadDocument(company, added.first().id, file, DocumentType.CONTRACT)
  println("uploaded: ${document.name}, ${document.type}, ${document.propertySize} bytes")

  try {
    collaborators.createCollaborator(company, person(1))
    error("a duplicate email address was accepted")
  } catch (rejected: ClientException) {
    val body = (rejected.response as ClientError<*>).body as String
    val invalid = Serializer.moshi.adapter(BadRequestError::class.java).fromJson(body)!!
    println("rejected: ${invalid.error.value}, email ${invalid.details!!.getValue("email").first().code.value}")
  }
}
