// Stop words of more languages as Apache Lucene has them (Apache-2.0). A table.

export const LUCENE_LISTS: Readonly<Record<string, string>> = {
  _brazilian_:
    'a ainda alem ambas ambos antes ao aonde aos apos aquele aqueles as assim com como contra contudo ' +
    'cuja cujas cujo cujos da das de dela dele deles demais depois desde desta deste dispoe dispoem ' +
    'diversa diversas diversos do dos durante e ela elas ele eles em entao entre essa essas esse esses ' +
    'esta estas este estes ha isso isto logo mais mas mediante menos mesma mesmas mesmo mesmos na nao nas ' +
    'nem nesse neste nos o os ou outra outras outro outros pelas pelo pelos perante pois por porque ' +
    'portanto propios proprio quais qual qualquer quando quanto que quem quer se seja sem sendo seu seus ' +
    'sob sobre sua suas tal tambem teu teus toda todas todo todos tua tuas tudo um uma umas uns ',
  _czech_:
    'a aby aj ale ani asi atd atp až bez bude budem budeš by byl byla byli bylo být co což cz další dnes ' +
    'do ho i jak jakmile jako jakož je jeho jehož jej jejich její jelikož jemu jen ještě jež ji jiné již ' +
    'jsem jseš jsme jsou jste já jí jíž k kam kde kdo když ke kterou která které který kteří mezi mi mne ' +
    'my má máte mít mě můj může na nad napište načež naši nebo neg nejsou není než nic nové nový nám nás ' +
    'němu němuž o od on ona oni ono ony pak po pod podle pokud pouze pravé pro proto protože proč první ' +
    'pta před přes při přičemž re s se si strana své svých svým svými ta tak také takže tato tedy ten ' +
    'tento teto tipy to tohle toho tohoto tom tomto tomu tomuto tu tuto ty tyto téma tím tímto těm těmu u ' +
    'už v vaše ve vy vám vás více však z za zda zde ze zprávy zpět či článku články ',
  _estonian_:
    'a aa abil adaa adjöö ae aegu aegus aga ah ah-ah-ah ah-haa ahaa ahah ahoi ai aidaa aidu-raidu aih ' +
    'aijeh aina ainult aituma aitäh aitüma alalt alates alati alguks algul algule algult alguni all alla ' +
    'allapoole alles allpool alt altpoolt alul alutsi ammuu amps ampsti aptsih arvel asemel asemele ass ' +
    'at at-at-at ata atsih atsihh auh b bai-bai bingo braavo brr c d e eales ealeski edasi edaspidi ee ' +
    'eeh eel eeli eelkõige eelmine eemal ees eesotsas eespool eest eestotsast ega eh eh-eh-ee eh-eh-hee ' +
    'ehee eheh ehei ehh ehhee ehk ehkki ei eikeegi eimiski einoh eks elik ellik emb-kumb ena enam end ' +
    'enda enese enge enim enne ennegu ennem ennäe ennäh ent esialgu esitsi et ette etteotsa f fuh fui ' +
    'fuih g h haa haaval hah hah-hah-hah hahaa hakkama halleluuja hallo halloo hass he-he-hee heaks hee ' +
    'heh hei heldeke(ne) heureka hihii hip-hip-hurraa hmh hmjah hoh-hoh-hoo hohoo hoi hollallaa ' +
    'hommikupoole hoo hoolimata hoopis hoplaa hopp hops hopsassaa hopsti hosianna huh huidii huist hulgas ' +
    'hulgast hulka hurjah hurjeh hurjoh hurjuh hurraa huu hä-hä-hää häh hõhõh hõi hõissa hõissassa hõk ' +
    'hõkk hüvasti i iga iganes igasugune igatahes igati igaüks ih-ah-haa ih-ih-hii ii-ha-ha iial iialgi ' +
    'ikka ikkagi ilma ilmaski ise iseenda iseenese iseenesest isegi isesugune issake issakene isver j ja ' +
    'ja-ah jaa-ah jaah jah jalgu jalus jalust janäe jaoks jeeh jeerum jeever jessas jestas jooksul ju ' +
    'juba juhhei juhul jumalaga jumalime jumaluke jumalukene just justkui jutas juurde juures juurest ' +
    'jälil jälile järel järele järelikult järelt järgi järgmine k ka kaaps kaapsti kaasas kaasike kae kah ' +
    'kallal kallale kallalt kalps kalpsti kamul kannul kannule kannult kannäe kanäe kappadi kaps kapsti ' +
    'karkäuh karkääks karkääksti karkõmm karmauh karmauhti karnaps karnapsti karniuhti karpartsaki ' +
    'karpauh karpauhti karplauh karplauhti karprauh karprauhti karsumdi karsumm kartsumdi kartsumm ' +
    'karviuh karviuhti kas kaske kassa kasvõi kaudu kauh kauhti kaupa keda keegi keh keksti kepsti kes ' +
    'keset kesk keskel keskele keskelt keskis keskpaiku kestahes kestel kestes khe khm kih kiiks kiiksti ' +
    'kiis kiiss kikerii kikerikii kilda kili kilk kilk-kõlk kilks kilks-kolks kilks-kõlks kill kill-kõll ' +
    'killa-kolla killa-kõlla killadi killadi-kõlladi killadi|-kolladi killas killast kimps-komps kimpu ' +
    'kimpus kipp kips-kõps kiriküüt kirr-kõrr kirra-kõrra kirts kiuste klaps klapsti klirdi klirr klonks ' +
    'klops klopsti klu-kluu kluk kläu klõks klõksti klõmdi klõmm klõmpsti klõnks klõnksti klõps klõpsti ' +
    'kogu koguni kohal kohale kohalt kohaselt kohati kohe kohta kohva-kohva kok kokku koks koksti kolaki ' +
    'kolk kolks kolksti koll kolladi komp komps kompsti koos kop kopp koppadi kops kopsti korral kossu ' +
    'kotsu kraa kraak kraaks kraaps kraapsti krahh kraks kraksti kraps krapsti krauh krauhti kriiks ' +
    'kriiksti kriips kriips-kraaps kripa-krõpa krips-kraps kriuh kriuks kriuksti kromps kronk kronks ' +
    'krooks kruu kräu kräuh kräuhti kräuks krõks krõksti krõpa krõps krõpsti krõuh kss kuhu kuhugi ' +
    'kuhupoole kui kuid kuidagi kuidas kuigi kuivõrd kukeleegu kukil kukile kukilt kukku kuku kulu kulul ' +
    'kumb kumbki kuna kunagi kuni kurluu kurnäu kus kusagil kusjuures kuskil kuspool kuss kussu kust ' +
    'kustpoolt kut käekõrval käekõrvale käekõrvalt käes käest kärr kärts kärtsti käsikäes kätte käuks ' +
    'käuksti kääga kääks kääksti kõige kõigepealt kõik kõks kõksti kõldi kõlks kõlksti kõll kõmaki kõmdi ' +
    'kõmm kõmps kõpp kõps kõpsadi kõpsat kõpsti kõrr kõrra-kõrra kõrva kõrval kõrvale kõrvalt kõrvas ' +
    'kõrvast kõss kõtt kõõksti köh köki-möki köksti külge küljes küljest küll küüsi küüsis küüsist l laks ' +
    'laksti lampsti lappi larts lartsti lats latsti leelo legoo lehva ligi ligidal ligidale ligidalt ' +
    'liiga liiri-lõõri lika-lõka likat-lõkat limpsti lips lipsti lirts lirtsaki lirtsti lisaks lonksti ' +
    'lool lops lopsti lorts lortsti luks lups lupsti lurts lurtsti läbi lähedal lähedale lähedalt lärts ' +
    'lärtsti läts lätsti lõks lõksti lõmps lõmpsti lõnks lõnksti lörts lörtsti lötsti lööps lööpsti m ' +
    'm-mh man mant manu marss mats matsti mauh mauhti meelest meiesugune meietaoline mh mhh mhmh miau ' +
    'midagi mihuke mihukene miks mil millal millalgi milletaoline milline mina minake minema mingi ' +
    'mingisugune minusugune minutaoline mis miski miskisugune mispärast missugune mistab mistahes ' +
    'mistõttu misuke mitmes mitmesugune mitte mitu mitu-mitu mitu-setu mjaa mkm mnjaa mnjah moens muide ' +
    'muidu muidugi muist mujal mujale mujalt mulks mulksti mull-mull mull-mull-mull muu muudkui muuh mäh ' +
    'mäherdune mäts mäu mää määrane mõh mõlema mõlemad mõmm mõnda mõne mõnesugune mõni mõnikord mõningane ' +
    'mõningas möh möh-öh-ää möö mööda müh-müh mühüh müks müksti müraki mürr mürts mürtsaki mürtsti müt- ' +
    'müt müt-müt-müt müta-mäta müta-müta mütaku müts mütsti mütt n naa naah naasugune nagu nah nahas ' +
    'nahka nahkas najal najale najalt naks naksti nanuu naps napsti need nemad nendesugune nendetaoline ' +
    'nigu nihuke nihukene nii niikaua niimitu niimoodi niipaljuke niisama niisamasugune niisiis niisugune ' +
    'niivõrd nilpsti ning nipsti nirr nisuke nisukene niuh niuh-näuh niuhti noh noksti nolpsti nonoh ' +
    'nonoo nonäh noo nooh nooks norr nurr nuuts näeh näh nälpsti nämm-nämm näpsti näts nätsti näu näuh ' +
    'näuhti näuks näuksti nääh nääks nõh nõhh nõjal nõjale nõka-nõka nõks nõks-nõks nõksat-nõksat nõksti ' +
    'nõnda nõõ nõõh nühkat-nühkat nüüd o oeh oh oh-hoi oh-hoo oh-oh-hoo oh-oh-oo ohh ohhh ohoh ohoi ohoo ' +
    'oi oih oijee oijeh olema olgugi oma omaenese omaette omakorda omasugune omataoline omavahel ometi oo ' +
    'oo-oh oo-ohh ooh oot ossa ot otsa otsas otsast otsekui otsenagu p paa pah pahh paigale paigu paiku ' +
    'paitsi pakaa palju palju-palju paljuke pamm pantsti pardon pardonks parlartsti parts partsti ' +
    'partsumdi partsumm pastoi pats patst patsti pau pauh pauhti peaaegu peagi peal peale pealepoole ' +
    'pealpool pealt pealtpoolt peamiselt pele perra perrä pfui phuh phuuh phäh phähh pidama pidi pigem ' +
    'pihta piiks piip piiri-pääri piki pikku piku pikuti pimm pimm-pamm pimm-pomm pimm-põmm piraki pisut ' +
    'piu-pau piuks plaks plaksti plarts plartsti plats platsti plauh plauhh plauhti pliks pliks-plaks ' +
    'plinn pliraki plirts plirtsti pliu pliuh ploks plotsti plumps plumpsti plärr plärts plärtsat ' +
    'plärtsti pläu pläuh plää plõks plõksti plõmdi plõmm plõnn plörtsat pomm pool poole poolest poolt ' +
    'popp pops popsti ports pot pots potsti pott praegu praegune praks praksti prants prantsaki prantsti ' +
    'prassai prauh prauhh prauhti priks priuh priuh-prauh priuhh proosit proost prr prrr prääk prääks ' +
    'prõks prõksti prõmdi prõmm prõntsti psst pst ptrr ptruu ptüi puh puhh puhul puksiiris puksti pumm ' +
    'pumps pup-pup-pup purts puuh päh pähe pähh päntsti päralt päras pärast päri päris pää põiki põks ' +
    'põksti põmdi põmm põmmadi põnks põnn põnnadi põnt põnts põntsti põraki põrr põrra-põrra pöörd püh r ' +
    'raks raksti raps rapsti ratataa rauh riips riipsti riks riks-raks ringi ringis rips-raps risti ' +
    'risust rivitult robaki rohkem rops ropsaki ropsti ruik räntsti räts röh röhh s saadetusel saadik ' +
    'saama saatel saati sah sahh sahkat sama samas samasugune samataoline samuti saps sapsti sauh sauhti ' +
    'seal sealpool sealt sealtpoolt seas seast sedakorda sedapuhku see seega seejuures seejärel seekord ' +
    'seepärast sees seesama seesamane seesamune seesinane seespool seest seesugune seetõttu sekka ' +
    'seljataga sellepärast selline selmet seltsi seltsis seltsist seni servus sest sestab sestap sihka- ' +
    'sahka sihkadi-sahkadi sihkat-sahkat sihuke sihukene siia siiani siiapoole siin siinkohal siinpool ' +
    'siis siiski siit siitpoolt silk-solk silks sina sinna sinnapoole sinusugune sinutaoline sips sipsti ' +
    'sirr sirr-sorr sirts sirtsti sisse sissepoole siu siuh siuh-sauh siuh-säuh siuhti siuke siukene ' +
    'siuks siuts skool slepis so so-oh so-soo soh solks solksti solpsti soo soo-oh sooh sopp sops sopsti ' +
    'sorr sorts sortsti soss soss-soss ss sss sst stopp suhkat-sahkat suht suhtes sulk sulks sulksti sull ' +
    'sulla-sulla sulpa-sulpa sulps sulpsti sumaki sumdi summ summat-summat sups supsaku supsti surts ' +
    'surtsti suss susti suts sutsti säh säherdune sähke särts särtsti säu säuh säuhti säärane t taevake ' +
    'taevakene taga tagant tagantotsast tagantpoolt tagaotsas tagapidi tagapool tagaselja tagasi tagast ' +
    'tagutsi taha tahaotsa tahapoole takk takka taoline tarvis tasa teel tegema teiesugune teine ' +
    'teineteise teispool teispoole teistsugune tema temake temakene temasugune temataoline tere terekest ' +
    'tibi-tibi tikk-takk tiks tilk tilks till till-tall tilla-talla tilulii tinn tip tip-tap tirr tirtsti ' +
    'tiu tjaa tjah tohhoh tohhoo tohoh tohoo tok tokk toks toksti tonks tonksti too toosama toosamane ' +
    'tot-tot tota totsti tprr tpruu trah trahh trallallaa trill trillallaa trr trrr tsah tsahh tsilk ' +
    'tsilk-tsolk tsirr tsiuh tskae tsolk tss tsst tst tsuhh tsuk tsumm tsurr tsäuh tuk tuks tulema turts ' +
    'turtsti tutki tutkit tutu-lutu tutulutu tuuri tuuris tuut tuutu-luutu täiesti tänu tõesti tõks tõttu ' +
    'tötsti tükkis tümps tšao tšš tššš u uh uh-huu uhal uhh uhtsa uhtsaa uhuh uhuu ui uih uih-aih uijah ' +
    'uijeh uist uit uka umbes upsti uraa urjah urjeh urjoh urjuh urr urraa ust utu uu uuh v vaak vaat ' +
    'vaatamata vae vaeh vahel vahele vahelt vahepeal vahepeale vahepealt vahetsi vai vaid varal varale ' +
    'varul vastas vastast vastu vat vau veel veelgi veerde veeres vhüüt vidiit viiks viisi vilks vilksti ' +
    'vinki-vinki virdi virr vist viu viudi viuh viuhti voeh voh vohh volks volksti vooh vops vopsti vot ' +
    'vuh vuhti vuih vulks vulksti vull vulpsti vups vupsaki vupsaku vupsti vurdi vurr vurra-vurra vurts ' +
    'vurtsti vutt väel väele väga vähemalt välja väljapoole väljas väljaspool väljast väljastpoolt vältel ' +
    'vääks väärt väärtki võe võeh või võib-olla võibolla võidu võih võima võrd võrdki võrr võrra võrragi ' +
    'võts võtt w x y z ä äh äh-hää äh-äh-hää ähh ähhähhää äiu äiu-ää ära äss ää ääh äähh äärde ääre ääres ' +
    'äärest õ õe õhtupoole õits õk õkk õrr õss õuh ö öh öhh ök ü üh ühes ühestükis ühestükkis ühtlasi üks ' +
    'üksi ükskõik üksteise ülal ülale ülalpool ülalt ülaltpoolt üle üles ülespoole ülesse üleval ' +
    'ülevalpool ülevalt ülevaltpoolt ülimalt ümber ümbert üsna š šlepis ž ',
  _galician_:
    'a alí ao aos aquel aquela aquelas aqueles aquilo aquí as así aínda ben cando che co coa coas comigo ' +
    'con connosco contigo convosco cos cun cunha cunhas cuns da dalgunha dalgunhas dalgún dalgúns das de ' +
    'del dela delas deles desde deste do dos dun dunha dunhas duns e el ela elas eles en era eran esa ' +
    'esas ese eses esta estaba estar este estes estiven estou está están eu facer foi foron fun había hai ' +
    'iso isto la las lle lles lo los mais me meu meus min miña miñas moi na nas neste nin no non nos nosa ' +
    'nosas noso nosos nun nunha nunhas nuns nós o os ou para pero pode pois pola polas polo polos por que ' +
    'se senón ser seu seus sexa sido sobre súa súas tamén tan te ten ter teu teus teñen teño ti tido ' +
    'tiven tiña túa túas un unha unhas uns vos vosa vosas voso vosos vós á é ó ós ',
  _greek_:
    'αλλα αν αντι απο αυτα αυτεσ αυτη αυτο αυτοι αυτοσ αυτουσ αυτων για δε δεν εαν ειμαι ειμαστε ειναι ' +
    'εισαι ειστε εκεινα εκεινεσ εκεινη εκεινο εκεινοι εκεινοσ εκεινουσ εκεινων ενω επι η θα ισωσ κ και ' +
    'κατα κι μα με μετα μη μην να ο οι ομωσ οπωσ οσο οτι παρα ποια ποιεσ ποιο ποιοι ποιοσ ποιουσ ποιων ' +
    'που προσ πωσ σε στη στην στο στον τα την τησ το τον τοτε του των ωσ ',
  _indonesian_:
    'ada adalah adanya adapun agak agaknya agar akan akankah akhirnya aku akulah amat amatlah anda ' +
    'andalah antar antara antaranya apa apaan apabila apakah apalagi apatah atau ataukah ataupun bagai ' +
    'bagaikan bagaimana bagaimanakah bagaimanapun bagi bahkan bahwa bahwasanya banyak beberapa begini ' +
    'beginian beginikah beginilah begitu begitukah begitulah begitupun belum belumlah berapa berapakah ' +
    'berapalah berapapun bermacam bersama betulkah biasa biasanya bila bilakah bisa bisakah boleh ' +
    'bolehkah bolehlah buat bukan bukankah bukanlah bukannya cuma dahulu dalam dan dapat dari daripada ' +
    'dekat demi demikian demikianlah dengan depan di dia dialah diantara diantaranya dikarenakan dini ' +
    'diri dirinya disini disinilah dong dulu enggak enggaknya entah entahlah hal hampir hanya hanyalah ' +
    'harus haruslah harusnya hendak hendaklah hendaknya hingga ia ialah ibarat ingin inginkah inginkan ' +
    'ini inikah inilah itu itukah itulah jangan jangankan janganlah jika jikalau juga justru kala kalau ' +
    'kalaulah kalaupun kalian kami kamilah kamu kamulah kan kapan kapankah kapanpun karena karenanya ke ' +
    'kecil kemudian kenapa kepada kepadanya ketika khususnya kini kinilah kiranya kita kitalah kok lagi ' +
    'lagian lah lain lainnya lalu lama lamanya lebih macam maka makanya makin malah malahan mampu ' +
    'mampukah mana manakala manalagi masih masihkah masing mau maupun melainkan melalui memang mengapa ' +
    'mereka merekalah merupakan meski meskipun mungkin mungkinkah nah namun nanti nantinya nyaris oleh ' +
    'olehnya pada padahal padanya paling pantas para pasti pastilah per percuma pernah pula pun rupanya ' +
    'saat saatnya saja sajalah saling sama sambil sampai sana sangat sangatlah saya sayalah se sebab ' +
    'sebabnya sebagai sebagaimana sebagainya sebaliknya sebanyak sebegini sebegitu sebelum sebelumnya ' +
    'sebenarnya seberapa sebetulnya sebisanya sebuah sedang sedangkan sedemikian sedikit sedikitnya ' +
    'segala segalanya segera seharusnya sehingga sejak sejenak sekali sekalian sekaligus sekalipun ' +
    'sekarang seketika sekiranya sekitar sekitarnya sela selagi selain selaku selalu selama selamanya ' +
    'seluruh seluruhnya semacam semakin semasih semaunya sementara sempat semua semuanya semula sendiri ' +
    'sendirinya seolah seorang sepanjang sepantasnya sepantasnyalah seperti sepertinya sering seringnya ' +
    'serta serupa sesaat sesama sesegera sesekali seseorang sesuatu sesuatunya sesudah sesudahnya setelah ' +
    'seterusnya setiap setidaknya sewaktu siapa siapakah siapapun sini sinilah suatu sudah sudahkah ' +
    'sudahlah supaya tadi tadinya tak tanpa tapi telah tentang tentu tentulah tentunya terdiri terhadap ' +
    'terhadapnya terlalu terlebih tersebut tersebutlah tertentu tetapi tiap tidak tidakkah tidaklah toh ' +
    'waduh wah wahai walau walaupun wong yaitu yakni yang ',
  _latvian_:
    'aiz ap apakš apakšpus ar arī augšpus bet bez bija biji biju bijām bijāt būs būsi būsiet būsim būt ' +
    'būšu caur diemžēl diezin droši dēļ esam esat esi esmu gan gar iekam iekams iekām iekāms iekš iekšpus ' +
    'ik ir it itin iz ja jau jeb jebšu jel jo jā ka kamēr kaut kolīdz kopš kā kļuva kļuvi kļuvu kļuvām ' +
    'kļuvāt kļūs kļūsi kļūsiet kļūsim kļūst kļūstam kļūstat kļūsti kļūstu kļūt kļūšu labad lai lejpus ' +
    'līdz līdzko ne nebūt nedz nekā nevis nezin no nu nē otrpus pa par pat pie pirms pret priekš pār pēc ' +
    'starp tad tak tapi taps tapsi tapsiet tapsim tapt tapāt tapšu taču te tiec tiek tiekam tiekat tieku ' +
    'tik tika tikai tiki tikko tiklab tiklīdz tiks tiksiet tiksim tikt tiku tikvien tikām tikāt tikšu ' +
    'tomēr topat turpretim turpretī tā tādēļ tālab tāpēc un uz vai var varat varēja varēji varēju varējām ' +
    'varējāt varēs varēsi varēsiet varēsim varēt varēšu vien virs virspus vis viņpus zem ārpus šaipus ',
  _lithuanian_:
    'ant apie ar arba aš be bei bet bus buvo būti būtų dėl gali iki ir iš ja jai jais jam jame jas jei ji ' +
    'jie jiedu jiedvi jiedviem jiedviese jiems jis jo jodviem jog joje jomis joms jos jose judu judvi ' +
    'judviejų judviem judviese jumis jums jumyse juo juodu juodviese juos juose jus ją jį jūs jūsų jų ' +
    'jųdviejų kad kai kaip kas kiek kol kur kurie kuris ką man mane manimi mano manyje manęs mes metu ' +
    'mudu mudvi mudviejų mudviem mudviese mumis mums mumyse mus mūsų nei nes net nors nuo o pat per po ' +
    'prie prieš sau save savimi savo savyje savęs su tada tai taip tas tau tave tavimi tavyje tavęs ' +
    'tačiau ten to todėl tu tuo už visi yra į ',
  _sorani_:
    'ئێمە ئێوە ئەم ئەو ئەوان ئەوەی بۆ بێ بێجگە بە بەبێ بەدەم بەردەم بەرلە بەرەوی بەرەوە بەلای بەپێی تۆ تێ ' +
    'جگە دوای دوو دە دەکات دەگەڵ سەر لێ لە لەبابەت لەباتی لەبارەی لەبرێتی لەبن لەبەر لەبەینی لەدەم لەرێ ' +
    'لەرێگا لەرەوی لەسەر لەلایەن لەناو لەنێو لەو لەپێناوی لەژێر لەگەڵ من ناو نێوان هەر هەروەها و وەک پاش ' +
    'پێ پێش چەند کرد کە ی ',
  _thai_:
    'กล่าว กว่า กัน กับ การ ก็ ก่อน ขณะ ขอ ของ ขึ้น คง ครั้ง ความ คือ จะ จัด จาก จึง ช่วง ซึ่ง ดัง ด้วย ' +
    'ด้าน ตั้ง ตั้งแต่ ตาม ต่อ ต่าง ต่างๆ ต้อง ถึง ถูก ถ้า ทั้ง ทั้งนี้ ทาง ที่ ที่สุด ทุก ทํา ทําให้ ' +
    'นอกจาก นัก นั้น นี้ น่า นํา บาง ผล ผ่าน พบ พร้อม มา มาก มี ยัง รวม ระหว่าง รับ ราย ร่วม ลง วัน ว่า ' +
    'สุด ส่ง ส่วน สําหรับ หนึ่ง หรือ หลัง หลังจาก หลาย หาก อยาก อยู่ อย่าง ออก อะไร อาจ อีก เขา เข้า เคย ' +
    'เฉพาะ เช่น เดียว เดียวกัน เนื่องจาก เปิด เปิดเผย เป็น เป็นการ เพราะ เพื่อ เมื่อ เรา เริ่ม เลย เห็น ' +
    'เอง แต่ แบบ แรก และ แล้ว แห่ง โดย ใน ให้ ได้ ไป ไม่ ไว้ ',
};
